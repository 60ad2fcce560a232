"""The page's conversation with the core: one JSON string in, one out, the same numbers as `build.py state`.

A run of updates is kept while the settings that shape it stay, so that another step or token costs little.
"""

import json

from .evidence import evidence
from .facts import facts
from .findings import FINDINGS, OF_A_RUN, OF_A_STATE
from .path_difference import path_difference
from .plain import plain
from .plateaus import plateaus
from .state import curves, state_of
from .update import evaluate, prepare

UNSHAPING = ("step", "at")  # settings that choose what is shown of a run, but do not change it

kept = {"setup": None, "key": None, "batch": None, "run": []}


def begin(setup):
    """Take the setup, as JSON; to be called once."""
    kept["setup"] = json.loads(setup)


def run_of(settings):
    """Return the batch, and the evaluations up to one step beyond settings["step"]."""
    setup = kept["setup"]
    key = json.dumps([settings[name] for name in sorted(settings) if name not in UNSHAPING])
    if key != kept["key"]:
        kept["batch"] = prepare(setup, settings)
        kept["run"] = []
        kept["key"] = key
    batch, run = kept["batch"], kept["run"]
    while len(run) < settings["step"] + 2:
        run.append(evaluate(batch, run[-1].next_parameters if run else setup["initial"]))
    return batch, run


def results_of(settings):
    """Return the state, its clip chart, and what the sentences about it say."""
    batch, run = run_of(settings)
    found = state_of(kept["setup"], settings, batch, run)
    found["plateaus"] = plateaus(found["positions"], settings["clip_epsilon"], settings["path"])
    found["sentences"] = {name: FINDINGS[name](found) for name in OF_A_STATE}
    return found


def show(settings):
    """Return everything that follows a change at once. settings and result are JSON."""
    return json.dumps(results_of(json.loads(settings)))


def curve(settings, beta):
    """Return loss, KL and clipped count at every step for one beta: a slice of the charts. All JSON."""
    return json.dumps(curves(kept["setup"], json.loads(settings), [json.loads(beta)])[0])


def story(settings, curve_of_settings):
    """Return the facts of a run, and what the sentences about it say, from its curve. All JSON."""
    settings = json.loads(settings)
    batch, _ = run_of(settings)
    known = facts(kept["setup"], {"positions": batch.positions}, json.loads(curve_of_settings))
    found = {"settings": settings, "facts": known}
    found["sentences"] = {name: FINDINGS[name](found) for name in OF_A_RUN}
    return json.dumps(found)


def check(settings):
    """Return the checks of one state, see evidence.py. All JSON."""
    return json.dumps(evidence(kept["setup"], json.loads(settings)))


def beside(settings):
    """Return the path shown beside the correct one, see path_difference.py, and what is said of it. All JSON."""
    settings = json.loads(settings)
    found = {"beside": path_difference(kept["setup"], settings, run_of(settings))}
    found["sentences"] = {"beside": FINDINGS["beside"](found)}
    return json.dumps(found)


def compare(settings, other):
    """Return the state under settings, the one under other, and the differences, number by number. All JSON."""
    left, right = results_of(json.loads(settings)), results_of(json.loads(other))
    return json.dumps({"other": right, "difference": plain(difference(left, right))})


def difference(left, right):
    """Return left - right for every number of two results of one shape; None where one has no number."""
    if isinstance(left, dict):
        return {name: difference(left[name], right[name]) for name in left if name in right}
    if isinstance(left, (list, tuple)):
        return [difference(a, b) for a, b in zip(left, right)] if isinstance(right, (list, tuple)) else None
    if left is None or right is None or isinstance(left, (str, bool)) or isinstance(right, (str, bool, list)):
        return None
    return left - right
