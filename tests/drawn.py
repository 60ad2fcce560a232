"""How many drawn cases a test tries: a sample in `make test`, the full count in `make fuzz`."""

from __future__ import annotations

import os

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")


def cases(sample: int, full: int) -> int:
    """Return how many cases to draw where it is not Hypothesis that draws them."""
    return full if PROFILE == "fuzz" else sample
