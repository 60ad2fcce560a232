"""The experiment "ten actions, two steps": a small network trained for real, with numpy; no files, no language.

Not part of the plain core: readers' tabs get its results, and `compute/digits_twin.py`.
"""
