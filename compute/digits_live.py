"""The experiment's conversation with its page: parts of the results in as they come, one JSON string in, one out.

A part is a checkpoint part (seed, beta, updates, parameters; beta null: the reference) or a grid (beta, rewards), as
compute/digits/experiment.py gives them.
"""

import json

from .digits_findings import said_of_a_state
from .digits_twin import at_input, distribution, log_probs, parameter_count, picked, right_answer, tables
from .packed import floats, whole_numbers
from .plain import plain

PAGE = "digits"  # the first part of every number's id
SCALE = 10000.0  # of a packed reward
UNDEFINED = 65535  # stands for an undefined one

MOST_TABLES = 12  # checkpoints that stay unpacked, so that another input costs little

kept = {"setup": None, "checkpoints": {}, "grids": {}, "tables": {}}


def begin(setup):
    """Take what no setting changes, as JSON, and forget all parts.

    operation, hidden, training, seeds, updates; run: where every beta begins and ends, which sentences may name.
    """
    kept["setup"] = json.loads(setup)
    kept["checkpoints"], kept["grids"], kept["tables"] = {}, {}, {}


def load(part):
    """Take a part, as JSON, and return how many there are, as JSON."""
    part = json.loads(part)
    if "rewards" in part:
        kept["grids"][float(part["beta"])] = part["rewards"]
    else:
        kept["tables"] = {}
        beta = None if part["beta"] is None else float(part["beta"])
        kept["checkpoints"][part["seed"], beta] = part
    return json.dumps(len(kept["checkpoints"]) + len(kept["grids"]))


def policy_at(seed, beta, update):
    """Return a checkpoint's tables, None where it is not there. beta None, or update 0: the reference."""
    key = (seed, None if update == 0 else beta)
    part, unpacked = kept["checkpoints"].get(key), kept["tables"]
    if part is None or update not in part["updates"]:
        return None
    if (key, update) in unpacked:
        return unpacked[key, update]
    if len(unpacked) >= MOST_TABLES:
        unpacked.clear()
    hidden = kept["setup"]["hidden"]
    count = parameter_count(hidden)
    row = floats(part["parameters"], count * part["updates"].index(update), count)
    unpacked[key, update] = tables(row, hidden)
    return unpacked[key, update]


def grid_at(seed, beta, update):
    """Return the expected rewards of all inputs [10][10] to four decimals, None where they are not there."""
    setup, text = kept["setup"], kept["grids"].get(beta)
    if text is None or seed not in setup["seeds"] or update not in setup["updates"]:
        return None
    row = setup["seeds"].index(seed) * len(setup["updates"]) + setup["updates"].index(update)
    values = [float("nan") if n == UNDEFINED else n / SCALE for n in whole_numbers(text, 100 * row, 100)]
    return [values[10 * a : 10 * a + 10] for a in range(10)]


def absent(u, v):
    """Return the fields of a state that is not shipped: all there, none with a value."""
    nothing = [[0.0] * 10, [[0.0] * 10] * 10]
    found = at_input(nothing, nothing, [0, 0])
    found["second"] = distribution(nothing[0], nothing[0])
    found["picked"] = picked(nothing, nothing, found["trajectories"][10 * u + v], 0.0)
    return {name: emptied(value) for name, value in found.items()}


def emptied(value):
    """Return value with None for every number but the digits u and v."""
    if isinstance(value, dict):
        return {key: item if key in ("u", "v") else emptied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [emptied(item) for item in value]
    return None


def show(settings):
    """Return everything about one input at one checkpoint. settings: beta, seed, update, a, b, u, v; JSON both ways.

    shipped: whether that checkpoint and its reference are there; without them what needs them is None.
    """
    settings = json.loads(settings)
    found = plain(results_of(settings))
    found["settings"] = settings
    found["run"] = kept["setup"]["run"]
    return json.dumps({PAGE: found, "settings": settings, "sentences": said_of_a_state(found)})


def results_of(settings):
    """Return the results of one state."""
    setup = kept["setup"]
    seed, beta, update = settings["seed"], float(settings["beta"]), settings["update"]
    a, b, u, v = [settings[name] for name in ("a", "b", "first", "second")]
    right = right_answer(setup["operation"], a, b)
    found = {
        "shipped": False,
        "right": {"u": right[0], "v": right[1], "value": 10 * right[0] + right[1]},
        "is_training": setup["training"][a][b] == 1,
        "grid": grid_at(seed, beta, update),
    }
    policy, reference = policy_at(seed, beta, update), policy_at(seed, None, 0)
    if policy is None or reference is None:
        found.update(absent(u, v))
        return found
    current, start = log_probs(policy, a, b), log_probs(reference, a, b)
    found.update(at_input(current, start, right))
    found["shipped"] = True
    found["second"] = distribution(current[1][u], start[1][u])
    found["picked"] = picked(current, start, found["trajectories"][10 * u + v], beta)
    return found
