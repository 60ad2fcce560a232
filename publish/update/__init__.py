"""The main page, "RL parameter update"."""
