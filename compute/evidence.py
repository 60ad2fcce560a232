"""Checks that a reader can run on any state: does the hand-written gradient agree with what it claims to be?

The checks use the loss and the sums only, never the code that they check.
"""

from .matrices import added, largest, largest_difference, zeros_like
from .plain import plain
from .update import evaluate, evaluate_positions, held, prepare, sum_of_shares, trajectory

STEP = 1e-5  # of each central difference: its error is about STEP ** 2
SMALLEST_SHARE = 2.0**-44  # of the parameter, so that the step does not vanish beside one of 1e9 and more
ALLOWED_SLOPE_ERROR = 1e-7  # relative to the largest gradient entry, or to 1
ROUNDING_OF_DIFFERENCES = 1e-10  # of the loss: its last digits, divided by the step
ALLOWED_SUM_ERROR = 1e-12


def finite_differences(batch, parameters):
    """Return (L(W + h) - L(W - h)) / 2h for every entry of W. [d][V] -> [d][V]."""
    slopes = zeros_like(parameters)
    for j, row in enumerate(parameters):
        for v in range(len(row)):
            moved = [list(values) for values in parameters]
            step = max(STEP, abs(row[v]) * SMALLEST_SHARE)
            moved[j][v] = row[v] + step
            above = moved[j][v]
            loss_above = evaluate(batch, moved).loss
            moved[j][v] = row[v] - step
            loss_below = evaluate(batch, moved).loss
            slopes[j][v] = (loss_above - loss_below) / (above - moved[j][v])
    return slopes


def evidence(setup, settings):
    """Return every check of the state at settings["step"]: differences, what is allowed, whether it holds.

    The differences hold the old and the reference policy, constants of the objective, also where a path recomputes
    them. On a wrong path a check that does not hold has found the mistake; most are consistent with themselves.
    finite_differences [d][V] beside the gradient; largest errors of: that gradient, the weights' sum from 1,
    the distributions' sums from 1, the logit gradients' sums from 0, the shares' sum from the gradient.
    """
    batch = prepare(setup, settings)
    now = trajectory(batch, setup["initial"], settings["step"] + 1)[-1]
    terms = evaluate_positions(batch, now.parameters)
    slopes = finite_differences(held(batch, now.parameters), now.parameters)
    shares = sum_of_shares(batch, terms)
    scale = max([1.0] + [abs(g) for row in now.gradient for g in row])
    rounding = abs(now.loss) * ROUNDING_OF_DIFFERENCES
    errors = {
        "gradient": (largest_difference(slopes, now.gradient), ALLOWED_SLOPE_ERROR * scale + rounding),
        "weights": (abs(added(batch.weights) - (1.0 if now.counted else 0.0)), ALLOWED_SUM_ERROR),
        "probabilities": (largest([abs(added(t.probs) - 1.0) for t in terms]), ALLOWED_SUM_ERROR),
        "logit_gradients": (largest([abs(added(t.dlogits)) for t in terms]), ALLOWED_SUM_ERROR * scale),
        "shares": (largest_difference(shares, now.gradient), ALLOWED_SUM_ERROR * scale),
    }
    return plain(
        {
            "finite_differences": slopes,
            "gradient": now.gradient,
            "checks": {
                name: {"error": error, "allowed": allowed, "holds": error <= allowed}
                for name, (error, allowed) in errors.items()
            },
        }
    )
