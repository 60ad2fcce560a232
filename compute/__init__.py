"""Every number of the site. Plain Python that also runs under MicroPython; no files, no HTML, no language."""
