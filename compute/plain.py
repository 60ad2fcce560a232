"""Results as JSON can say them."""


def plain(value):
    """Return value with no -0 in it, and infinite or undefined numbers as "inf", "-inf", "nan"."""
    if isinstance(value, float):
        if value != value:
            return "nan"
        if value - value != 0:
            return "inf" if value > 0 else "-inf"
        return value + 0.0
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
