"""Wrong groups: what the advantages are taken against."""


def own_group(rewards):
    """Return mean 0 and deviation 1: each response is a group of its own, so that A is the raw reward."""
    return 0.0, 1.0
