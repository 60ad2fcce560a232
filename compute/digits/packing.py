"""Large arrays as base64 text, for the page: expected rewards in two bytes each, parameters in four."""

import base64

import numpy as np

SCALE = 10_000  # a reward of 1; so four decimals are kept
UNDEFINED = 65_535  # stands where a reward is undefined


def packed_rewards(rewards):
    """Return rewards (0 to 1), rounded to four decimals, as base64 of little-endian uint16: value * 10000."""
    whole = np.where(np.isnan(rewards), UNDEFINED, np.rint(rewards * SCALE))
    return base64.b64encode(whole.astype("<u2").tobytes()).decode("ascii")


def unpacked_rewards(text):
    """Return the rewards in a row."""
    whole = np.frombuffer(base64.b64decode(text), dtype="<u2")
    return np.where(whole == UNDEFINED, np.nan, whole / SCALE)


def packed_parameters(rows):
    """Return parameters as base64 of little-endian float32."""
    return base64.b64encode(rows.astype("<f4").tobytes()).decode("ascii")


def unpacked_parameters(text, count):
    """Return rows of `count` parameters, as float64."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(float).reshape(-1, count)
