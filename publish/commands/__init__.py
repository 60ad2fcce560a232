"""The commands of build.py that print something: one module each."""
