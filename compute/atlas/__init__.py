"""The fault atlas beside the core: what is computed once, at build time, and not in the reader's tab."""
