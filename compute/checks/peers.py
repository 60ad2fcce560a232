"""Public libraries' own loss functions on recorded rollouts, and ours on the same: loss and gradient must agree.

A record (tests/data/peer-losses.json) holds what they returned in float64, with repository, commit and version. Each
library's setting below is one of this project's two normalizations; settings not listed (sums, constant divisors) are
other objectives.
"""

from ..state import state

# (parameter, its value) -> (normalization, whether the mean goes over the non-empty responses or over all)
SETTINGS = {
    ("loss_agg_mode", "token-mean"): ("token", "non-empty"),
    ("loss_agg_mode", "seq-mean-token-mean"): ("response", "non-empty"),
    ("loss_type", "bnpo"): ("token", "non-empty"),
    ("loss_type", "dapo"): ("token", "non-empty"),
    ("loss_type", "grpo"): ("response", "all"),
    ("token_level_loss", True): ("token", "non-empty"),
    ("token_level_loss", False): ("response", "non-empty"),
    ("aggregation", "token-mean"): ("token", "non-empty"),
    ("aggregation", "token-mean over the valid positions"): ("token", "non-empty"),
    ("aggregation", "seq-mean-token-mean"): ("response", "all"),
}
OTHER_OBJECTIVES = {"seq-mean-token-sum", "seq-mean-token-sum-norm", "token-sum", "dr_grpo"}
AGGREGATIONS = ("loss_agg_mode", "loss_type", "token_level_loss", "aggregation")
UPDATES = 8  # of the recorded runs


def setup_of(inputs, initial):
    """Return the rollout as a setup, from these parameters; the peers have no prompt, and padding goes by the mask."""
    nothing = [0.0] * len(initial)
    return {
        "initial": initial,
        "behaviour": inputs["W_old"],
        "reference": inputs["W_ref"],
        "steps": UPDATES,
        "prompt": nothing,
        "padding": nothing,
        "responses": [
            {"features": features, "actions": actions, "mask": mask}
            for features, actions, mask in zip(inputs["features_x"], inputs["actions"], inputs["mask"])
        ],
        "rewards": {"given": inputs["rewards"]},
    }


def settings_of(inputs, normalization, beta, learning_rate=0.3, step=0):
    """Return the settings of a record: every recorded token counts."""
    return {
        "normalization": normalization,
        "keep": max([len(actions) for actions in inputs["actions"]]),
        "beta": beta,
        "clip_epsilon": inputs["eps"],
        "learning_rate": learning_rate,
        "rewards": "given",
        "path": "correct",
        "step": step,
        "at": "0.0",
    }


def setting_of(output):
    """Return the normalization of an output and its divisor, or None for another objective. Raises ValueError."""
    named = [item for item in output["params"].items() if item in SETTINGS]
    if named:
        return SETTINGS[named[0]]
    aggregations = [output["params"][name] for name in AGGREGATIONS if name in output["params"]]
    if len(aggregations) != 1 or aggregations[0] not in OTHER_OBJECTIVES:
        raise ValueError("no known objective: " + repr(output["params"]))
    return None


def ours(case, output):
    """Return our state at a record's parameters, and the factor by which its divisor differs from ours."""
    normalization, responses = setting_of(output)
    inputs = case["inputs"]
    settings = settings_of(inputs, normalization, output["params"]["beta"])
    non_empty = len([mask for mask in inputs["mask"] if any(mask)])
    factor = non_empty / len(inputs["mask"]) if responses == "all" else 1.0
    return state(setup_of(inputs, inputs["W"]), settings), factor


def compared(record):
    """Return for each library how many of its losses and gradients were compared, the largest difference, and others.

    count: comparable outputs; others: outputs of other objectives, which are not compared.
    """
    found = {}
    for case in record["cases"]:
        for output in case["outputs"]:
            row = found.setdefault(output["peer"], {"count": 0, "others": 0, "largest": 0.0})
            if setting_of(output) is None:
                row["others"] += 1
                continue
            mine, factor = ours(case, output)
            pairs = [(mine["loss"], output["loss"])]
            for slopes, theirs in zip(mine["gradient"], output["grad_W"]):
                pairs += zip(slopes, theirs)
            row["count"] += 1
            row["largest"] = max([row["largest"]] + [abs(factor * a - b) for a, b in pairs])
    return found
