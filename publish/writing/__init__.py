"""Files written whole or not at all, and results that are kept."""
