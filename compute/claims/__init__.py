"""Whether the claims of the prose hold: run once, when the site is built."""
