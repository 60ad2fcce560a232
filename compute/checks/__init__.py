"""Independent second routes to the numbers of compute/; they may import numpy, torch, mpmath, the core never them."""
