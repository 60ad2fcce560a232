"""The chapter "Reference policy, KL and clipping"."""
