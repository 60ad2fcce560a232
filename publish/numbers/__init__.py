"""Every number by its id: the registry, the data files, and the page that lists them."""
