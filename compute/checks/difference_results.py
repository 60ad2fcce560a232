"""Gradients by central differences of what is maximised or minimised, in float64, as trees with the ids of the pages.

Nothing of a derivative is used: only losses and objectives.
"""

from ..evidence import finite_differences
from ..expectation import expectation
from ..return_gradient import finite_difference
from ..update import held, prepare, trajectory

STEP = 1e-5  # its error is about STEP ** 2


def update_by_differences(setup, settings, beta_choices, expected):
    """Return the gradients of the main page's loss and of its expectation, and the share sum, which is the former."""
    batch = prepare(setup, settings)
    now = trajectory(batch, setup["initial"], settings["step"] + 1)[-1].parameters
    slopes = finite_differences(held(batch, now), now)
    return {
        "gradient": slopes,
        "evidence": {"gradient": slopes},
        "selected": {"share_sum": slopes},
        "expectation": {"gradient": (reward := reward_slopes(setup, expected)), "score_gradient": reward},
    }


def reward_slopes(setup, expected):
    """Return the differences of E[R] for every entry of W. -> [d][V]."""
    initial, slopes = setup["initial"], []
    for j, row in enumerate(initial):
        slopes.append([])
        for v in range(len(row)):
            both = []
            for sign in (1, -1):
                moved = [list(values) for values in initial]
                moved[j][v] += sign * STEP
                both.append((moved[j][v], expectation(expected, moved)["reward"]))
            (above, high), (below, low) = both
            slopes[j].append((high - low) / (above - below))
    return slopes


def chapter_by_differences(settings):
    """Return the derivative of the chapter's objective; None where theta is infinite. See compute/kl_chapter.py."""
    p, q = [[settings[name], 1.0 - settings[name]] for name in ("p", "q")]
    slope = finite_difference(p, q, settings["rewards"], settings["beta"])
    return None if slope is None or isinstance(slope, str) else {"gradient": {"gradient": slope}}
