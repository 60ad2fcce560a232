"""Every wrong path of the fault atlas: what it makes of the default run, which checks find it, its smallest numbers."""

from ..path_difference import path_difference
from ..paths import PATHS
from ..plain import plain
from ..update import prepare, trajectory
from .fault_notes import fault_notes
from .path_checks import path_checks

CURVES = ("loss", "kl", "clipped")
MOST_TOKENS, MOST_RESPONSES, MOST_OF_A_RESPONSE = 24, 4, 4
DIFFERENCES = ("differences", "differences-held")


def fault_atlas(setup, settings):
    """Return paths: name -> smallest, curves, last, first and checks of every wrong path; and the notes.

    setup, settings: of the main page; settings["path"] and ["step"] do not matter here. Takes half a second.
    """
    notes = fault_notes()
    smallest = notes.pop("smallest")
    checks = path_checks(*checked_part(setup, settings), [], [])
    right = curves_of(setup, settings, "correct")
    found = {
        name: entry(setup, settings, name, right)
        | {"smallest": smallest[name], "checks": simple(checks[name])}
        for name in PATHS
        if name != "correct"
    }
    return plain(
        {
            "paths": found,
            "correct": simple(checks["correct"]),
            "lesson": lesson(found),
            "right": right,
            "steps": setup["steps"],
            "notes": notes,
        }
    )


def checked_part(setup, settings):
    """Return setup and settings with the first responses and tokens only where there are many.

    Checks run every path hundreds of times; a verdict does not need a large batch.
    """
    if sum([len(response["actions"]) for response in setup["responses"]]) <= MOST_TOKENS:
        return setup, settings
    responses = [
        {name: values[:MOST_OF_A_RESPONSE] for name, values in response.items()}
        for response in setup["responses"][:MOST_RESPONSES]
    ]
    rewards = settings["rewards"]
    values = setup["rewards"][rewards] if isinstance(rewards, str) else rewards
    fewer = setup | {"responses": responses, "rewards": {"checked": values[:MOST_RESPONSES]}}
    return fewer, settings | {"rewards": "checked"}


def lesson(found):
    """Return how many paths there are, how many each check finds, and how many no finite difference finds."""
    checks = [entry["checks"] for entry in found.values()]
    return {
        "paths": len(checks),
        "found": {name: sum([check[name]["caught"] for check in checks]) for name in checks[0]},
        "pass_differences": len(
            [1 for check in checks if not any([check[name]["caught"] for name in DIFFERENCES])]
        ),
    }


def simple(checks):
    """Return whether each check finds a path, and the number that shows it."""
    return {name: {"caught": check["caught"], "error": check["error"]} for name, check in checks.items()}


def curves_of(setup, settings, path):
    """Return loss, KL figure and clipped count of a path at every step 0 ... steps."""
    run = trajectory(prepare(setup, settings | {"path": path}), setup["initial"], setup["steps"] + 1)
    return {name: [getattr(evaluation, name) for evaluation in run] for name in CURVES}


def entry(setup, settings, path, right):
    """Return a path's curves, its last point beside the right one's, and after how many updates it first differs."""
    curves = curves_of(setup, settings, path)
    return {
        "curves": curves,
        "loss_falls": curves["loss"][-1] < curves["loss"][0],
        "last": {name: {"right": right[name][-1], "wrong": curves[name][-1]} for name in CURVES},
        "first": path_difference(setup, settings | {"path": path, "step": 0})["first"],
    }
