"""The experiment's records as tables: curves over the updates, final values, step sizes, sensitivity.

E evaluations, S seeds, B betas. A record has reward and kl [E, R, 100], its runs beta by beta, seed by seed.
"""

import numpy as np

from .facts import QUANTITIES

DIGITS = 6  # of a curve's numbers
DISTURBANCE = 1e-14  # relative, of the parameters that training starts from
STABLE = 1e-6  # the largest change of a final number that still leaves what is shown as it is


def series_of(setup, record, chosen, count):
    """Return the mean over training and held-out inputs of the first `count` runs. -> name -> [B, S, E]."""
    shape = (-1, len(setup["seeds"]))  # [E, B * S] -> [B, S, E]

    def arranged(values):
        return np.moveaxis(values[:, :count].reshape(len(values), *shape), 0, -1)

    return {
        "reward_training": arranged(record.reward[..., chosen].mean(axis=-1)),
        "reward_held_out": arranged(record.reward[..., ~chosen].mean(axis=-1)),
        "kl_training": arranged(record.kl[..., chosen].mean(axis=-1)),
        "kl_held_out": arranged(record.kl[..., ~chosen].mean(axis=-1)),
        "sampled_kl": arranged(record.sampled_kl),
    }


def summary(values):
    """Return mean, lowest and highest over the seeds. values [S, ...]."""
    return {
        "mean": values.mean(axis=0).tolist(),
        "lowest": values.min(axis=0).tolist(),
        "highest": values.max(axis=0).tolist(),
    }


def rounded(value):
    """Return value with every number in it rounded to six significant digits."""
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return float(f"{value:.{DIGITS}g}")


def curves(setup, series):
    """Return for each beta and quantity: seeds [S][E], and mean, lowest and highest over them [E]."""
    return [
        {"beta": float(beta)}
        | {
            name: rounded({"seeds": values[b].tolist()} | summary(values[b]))
            for name, values in series.items()
        }
        for b, beta in enumerate(setup["betas"])
    ]


def final_table(setup, final):
    """Return for each beta mean, lowest and highest of each quantity after the last update, at full precision."""
    return [
        {"beta": float(beta)} | {name: summary(values[b]) for name, values in final.items()}
        for b, beta in enumerate(setup["betas"])
    ]


def rate_results(setup, sampled, exact, chosen):
    """Return for each step size, sampled beside exact: each seed's final quantities, their mean, the mean's curve."""
    plan = setup["rates"]
    rows = []
    for r, rate in enumerate(plan["rates"]):
        row = {"rate": float(rate), "beta_times_rate": float(plan["beta"]) * float(rate)}
        for way, record in (("sampled", sampled), ("exact", exact)):
            row[way] = {}
            for name, values in rate_series(setup, record, chosen, r).items():
                row[way][name] = {"seeds": values[:, -1].tolist()} | summary(values[:, -1])
                row[way][name]["curve"] = rounded(values.mean(axis=0).tolist())
        rows.append(row)
    return {"beta": float(plan["beta"]), "seeds": plan["seeds"], "rows": rows}


def rate_series(setup, record, chosen, r):
    """Return the quantities of the runs with step size number r. -> name -> [S, E]."""
    count = len(setup["rates"]["seeds"])
    runs = slice(r * count, (r + 1) * count)
    return {
        f"{quantity}_{name}": getattr(record, quantity)[:, runs][..., part].mean(axis=-1).T
        for quantity in ("reward", "kl")
        for name, part in (("training", chosen), ("held_out", ~chosen))
    }


def rate_changes(setup, chosen, both):
    """Return how far the final quantities move, see changes. both: (record, disturbed) sampled, then exact."""
    rows = []
    for r in range(len(setup["rates"]["rates"])):
        row = {}
        for way, records in zip(("sampled", "exact"), both, strict=True):
            series, again = [rate_series(setup, record, chosen, r) for record in records]
            moved = {name: changes(values, again[name]) for name, values in series.items()}
            row[way] = {name: {kind: values[-1] for kind, values in moved[name].items()} for name in moved}
        rows.append(row)
    return rows


def changes(series, again):
    """Return how far a series moves, up to the evaluation after each: what is once uncertain stays so. [S, E].

    The one after it, because a disturbance is only one sample, and an instability grows many-fold between two.
    mean: of the seeds' absolute changes, which bounds the change of their mean; largest: of a seed. -> [E] each.
    """
    moved = np.abs(again - series)
    found = {"mean": moved.mean(axis=0), "largest": moved.max(axis=0)}
    return {
        name: np.maximum.accumulate(np.append(values[1:], values[-1])).tolist()
        for name, values in found.items()
    }


def sensitivity(setup, final, disturbed):
    """Return for each beta how far the final numbers move when training starts a little elsewhere.

    For each quantity the largest absolute change over the seeds, and that of the mean; seeds: which have moved by
    less than STABLE in all of them.
    """
    moved = {name: disturbed[name][..., -1] - final[name] for name in QUANTITIES}  # [B, S]
    largest = np.max([np.abs(change) for change in moved.values()], axis=0)
    rows = []
    for b, beta in enumerate(setup["betas"]):
        row = {"beta": float(beta), "seeds_stable": int((largest[b] < STABLE).sum())}
        for name, change in moved.items():
            row[name] = {
                "largest": float(np.abs(change[b]).max()),
                "mean": float(abs(change[b].mean())),
            }
        row["stable"] = row["seeds_stable"] == len(setup["seeds"])
        rows.append(row)
    return {"disturbance": DISTURBANCE, "stable_below": STABLE, "by_beta": rows}
