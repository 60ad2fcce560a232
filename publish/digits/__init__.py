"""The experiment "ten actions, two steps"."""
