"""Speed, always as a ratio against something timed in the same run: `make bench`."""
