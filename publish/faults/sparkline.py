"""Small line drawings inside a text: two curves over the same steps, one solid, one dashed."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

WIDTH, HEIGHT, MARGIN = 240, 64, 4


def sparkline(right: list[Any], wrong: list[Any], label: str) -> Markup:
    """Return an SVG with both curves on one scale. Values that are words (infinite, undefined) leave a gap."""
    values = [value for value in right + wrong if not isinstance(value, str)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    span = (high - low) or 1.0

    def path(curve: list[Any]) -> str:
        found, pen = [], "M"
        for step, value in enumerate(curve):
            if isinstance(value, str):
                pen = "M"
                continue
            x = MARGIN + (WIDTH - 2 * MARGIN) * step / max(1, len(curve) - 1)
            y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (value - low) / span
            found.append(f"{pen}{x:.1f} {y:.1f}")
            pen = "L"
        return "".join(found)

    return Markup(
        '<svg class="sparkline" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<path class="right" d="{}"/><path class="wrong" d="{}"/></svg>'
    ).format(WIDTH, HEIGHT, label, path(right), path(wrong))
