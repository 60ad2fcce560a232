"""A wrong path beside the correct one, after the same number of updates: what differs, since when, or why never.

Runs of updates are kept while the settings that shape them stay, so that another step costs little.
"""

import json

from .path_reasons import AFTER_A_RUN, AT_ONCE, reason_among
from .plain import plain
from .update import evaluate, prepare

COMPARED = ("loss", "gradient", "W_next", "kl")  # a path differs when one of these does
COUNTS = ("clipped", "outside", "counted")
UNSHAPING = ("step", "at", "path")  # settings that choose a run and what is shown of it
ALLOWED = 1e-12  # relative to the largest entry, or to 1: less is rounding

kept = {"setup": None, "key": None, "runs": {}, "verdicts": {}}


def path_difference(setup, settings, known=None):
    """Return both paths at settings["step"], wrong - right, and when they first differ.

    right, wrong: loss, gradient, W_next, kl, clipped, outside, counted, skipped. difference: wrong - right, 0 where
    that is rounding.
    differs: the state shown does; what: in which of loss, gradient, W_next, kl. first: after how many updates they
    first differ, 0 ... steps, or None; never: then the key of the reason, see path_reasons.py, otherwise "". "agrees"
    where none of those holds: what differs cancels in the sums, or is smaller than rounding.
    known: the batch and the evaluations of settings["path"], if they have been computed (they may grow).
    """
    step, path = settings["step"], settings["path"]
    keep_up(setup, settings)
    if known:
        kept["runs"][path] = known
    right, wrong = [fields(evaluation_at(setup, settings, name, step)) for name in ("correct", path)]
    what = differing(right, wrong)
    first, never = verdict(setup, settings)
    return plain(
        {
            "path": path,
            "step": step,
            "right": right,
            "wrong": wrong,
            "difference": {
                name: minus(wrong[name], right[name] if name in what or name in COUNTS else wrong[name])
                for name in COMPARED + COUNTS
            },
            "differs": len(what) > 0,
            "what": what,
            "first": first,
            "never": never or "",
        }
    )


def keep_up(setup, settings):
    """Forget the runs of other settings."""
    key = json.dumps([settings[name] for name in sorted(settings) if name not in UNSHAPING])
    if kept["setup"] is not setup or kept["key"] != key:
        kept.update({"setup": setup, "key": key, "runs": {}, "verdicts": {}})


def run_of(setup, settings, path):
    """Return the batch of a path under these settings, and its evaluations so far."""
    if path not in kept["runs"]:
        changed = dict(settings)
        changed["path"] = path
        kept["runs"][path] = (prepare(setup, changed), [])
    return kept["runs"][path]


def evaluation_at(setup, settings, path, step):
    """Return the evaluation of a path after `step` updates."""
    batch, run = run_of(setup, settings, path)
    while len(run) <= step:
        run.append(evaluate(batch, run[-1].next_parameters if run else setup["initial"]))
    return run[step]


def verdict(setup, settings):
    """Return after how many updates the paths first differ, and the reason where they never do."""
    path = settings["path"]
    if path == "correct":
        return None, "same-path"
    if path not in kept["verdicts"]:
        both = [run_of(setup, settings, name) for name in ("correct", path)]
        first, never = None, reason_among(AT_ONCE, setup, settings, both[0], both[1])
        if never is None:
            first = first_difference(setup, settings)
        if never is None and first is None:
            never = reason_among(AFTER_A_RUN, setup, settings, both[0], both[1]) or "agrees"
        kept["verdicts"][path] = (first, never)
    return kept["verdicts"][path]


def first_difference(setup, settings):
    """Return the first of 0 ... steps at which the paths differ, or None."""
    for n in range(setup["steps"] + 1):
        right, wrong = [
            fields(evaluation_at(setup, settings, name, n)) for name in ("correct", settings["path"])
        ]
        if differing(right, wrong):
            return n
    return None


def fields(evaluation):
    """Return what is compared and counted of one evaluation, by the names of the state."""
    return {
        "loss": evaluation.loss,
        "gradient": evaluation.gradient,
        "W_next": evaluation.next_parameters,
        "kl": evaluation.kl,
        "clipped": evaluation.clipped,
        "outside": evaluation.outside,
        "counted": evaluation.counted,
        "skipped": evaluation.counted == 0,
    }


def differing(right, wrong):
    """Return the names among COMPARED in which two states differ by more than rounding."""
    return [name for name in COMPARED if apart(numbers(right[name]), numbers(wrong[name]))]


def apart(right, wrong):
    """Tell whether two lists of numbers differ beyond rounding; undefined equals undefined."""
    size = 1.0
    for value in right + wrong:
        if value - value == 0:  # finite
            size = max(size, abs(value))
    for a, b in zip(right, wrong):
        same = a == b or (a != a and b != b)
        if not same and not abs(a - b) <= ALLOWED * size:
            return True
    return False


def numbers(value):
    """Return the numbers of a value or a table as one list."""
    return [number for row in value for number in row] if isinstance(value, list) else [value]


def minus(left, right):
    """Return left - right, of numbers or of tables."""
    if isinstance(left, list):
        return [minus(a, b) for a, b in zip(left, right)]
    return left - right
