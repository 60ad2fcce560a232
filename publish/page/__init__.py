"""What every page is about: the keys that choose a state, results, charts, sentences."""
