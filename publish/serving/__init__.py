"""`build.py serve`: the site on this machine, built anew at every edit."""
