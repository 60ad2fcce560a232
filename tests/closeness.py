"""How near two numbers must be: pytest.approx(x, rel=r) alone also allows 1e-12 absolutely, so say that it may not."""

import pytest


def close(expected, rel=1e-15):
    """Return what is equal to numbers within rel of the expected ones, and to 0 only where 0 is expected."""
    return pytest.approx(expected, rel=rel, abs=0)
