"""The whole experiment "ten actions, two steps": one setup in, one object that JSON can say out.

setup: operation, training_fraction, split_seed, hidden, initial_deviation; supervised (steps, rate); reinforce
(updates, rate, inputs, samples, evaluate_every); seeds, betas; rates (beta, rates, seeds); shown (checkpoint_seeds,
checkpoint_updates). E evaluations, S seeds, B betas.

Curves are rounded to six significant digits. How many of them a machine whose arithmetic rounds otherwise would get too
depends on the run: where training is calm all of them, where it is unstable none. `sensitivity` and `uncertainty`
measure it: everything is trained a second time from a start a little elsewhere.
"""

from threading import Lock
from types import SimpleNamespace

import numpy as np

from ..plain import plain
from .evaluation import enumerated, evaluated, trajectory_log_probs
from .facts import QUANTITIES, facts
from .gradients import gradient_checks, rewards_of
from .packing import SCALE, packed_parameters, packed_rewards
from .policy import flat, named, parameter_count
from .supervised import digests, frozen, supervised_start
from .tables import (
    DISTURBANCE,
    changes,
    curves,
    final_table,
    rate_changes,
    rate_results,
    sensitivity,
    series_of,
)
from .task import INPUTS, split, targets
from .training import blocks, runs_of, train


def experiment(setup, progress=None, number=float, disturbed=True):
    """Run everything and return the results. progress(done, total) is called after every update.

    number: numpy's type for all parameters; with one of more digits than float64 this is a second route. disturbed:
    whether everything is trained a second time; without it no number has an uncertainty.
    """
    with np.errstate(all="ignore"):  # a step size that is far too large ends in infinities, which are results
        return plain(run(setup, progress, number, disturbed))


def run(setup, progress, number, disturbed):
    """Run everything, see experiment."""
    trained, losses = supervised_start(setup, number)
    reference = frozen(trained)
    before = digests(reference)
    main, rated = pairs(setup)
    extra = [pair for pair in rated if pair not in main]
    sampled_runs, exact_runs = runs_of(main + extra, setup["seeds"]), runs_of(rated, setup["seeds"])
    starts = (0.0, DISTURBANCE) if disturbed else (0.0,)
    tick = ticker(setup, len(starts) * (sampled_runs, exact_runs), progress)
    records = [
        (
            train(setup, reference, sampled_runs, tick=tick, disturbance=disturbance),
            train(setup, reference, exact_runs, exact=True, tick=tick, disturbance=disturbance),
        )
        for disturbance in starts
    ]
    (sampled, exact), (sampled_again, exact_again) = records[0], records[-1]
    chosen = split(setup["training_fraction"], setup["split_seed"])
    series, series_again = [
        series_of(setup, record, chosen, len(main)) for record in (sampled, sampled_again)
    ]
    start = start_of(setup, reference, losses, chosen)
    gradients, gradients_again = [
        gradients_found(setup, reference, record, sampled_runs, chosen, len(main))
        for record in (sampled, sampled_again)
    ]
    moved = {name: np.abs(gradients_again[name] - values) for name, values in gradients.items()}
    final = {name: values[..., -1] for name, values in series.items()}  # [B, S]
    rows = [(main + extra).index(pair) for pair in rated]
    updates = list(range(0, setup["reinforce"]["updates"] + 1, setup["reinforce"]["evaluate_every"]))
    return {
        "settings": setup,
        "parameters": parameter_count(setup["hidden"]),
        "inputs": {
            "training": chosen.reshape(10, 10).astype(int).tolist(),
            "training_count": int(chosen.sum()),
            "held_out_count": int(INPUTS - chosen.sum()),
        },
        "start": start,
        "updates": updates,
        "curves": curves(setup, series),
        "final": final_table(setup, final),
        "facts": facts(setup["betas"], {name: np.array(start[name]) for name in QUANTITIES[:2]}, final),
        "checks": {
            "sum_error": max(sampled.sum_error, exact.sum_error),
            "kl_error": max(sampled.kl_error, exact.kl_error),
            "gradient": gradient_results(setup, gradients),
        },
        "sensitivity": sensitivity(setup, final, series_again),
        "uncertainty": {
            "gradient": {name: values.tolist() for name, values in gradient_means(setup, moved).items()},
            "curves": [
                {name: changes(series[name][b], series_again[name][b]) for name in series}
                for b in range(len(setup["betas"]))
            ],
            "rates": rate_changes(
                setup,
                chosen,
                [(part_of(sampled, rows), part_of(sampled_again, rows)), (exact, exact_again)],
            ),
        },
        "digests": digest_results(setup, before, reference, sampled),
        "rates": rate_results(setup, part_of(sampled, rows), exact, chosen),
        "live": {
            "operation": setup["operation"],
            "hidden": setup["hidden"],
            "training": chosen.reshape(10, 10).astype(int).tolist(),
            "seeds": setup["seeds"],
            "updates": updates,
            "run": ends_by_beta(start, final_table(setup, final), sensitivity(setup, final, series_again)),
        },
        "grids": grids(setup, sampled),
        "checkpoints": checkpoints(setup, reference, sampled),
    }


def ends_by_beta(start, final, moved):
    """Return what the page's sentences about a beta need: where it begins and ends, and how far rounding moves that.

    Means over the seeds. start, final, moved: of the results, the last under "sensitivity".
    """
    rows = [
        {"beta": row["beta"], **{name: {"mean": row[name]["mean"]} for name in QUANTITIES}} for row in final
    ]
    return {
        "start": {key: value for key, value in start.items() if key.startswith("mean_")},
        "final": rows,
        "sensitivity": {
            "by_beta": [
                {name: {"mean": row[name]["mean"]} for name in QUANTITIES} for row in moved["by_beta"]
            ]
        },
    }


def pairs(setup):
    """Return the runs of the main experiment, beta by beta, and of the step sizes: lists of (seed, beta, rate)."""
    plan = setup["rates"]
    main = [
        (seed, float(beta), float(setup["reinforce"]["rate"]))
        for beta in setup["betas"]
        for seed in setup["seeds"]
    ]
    rated = [(seed, float(plan["beta"]), float(rate)) for rate in plan["rates"] for seed in plan["seeds"]]
    return main, rated


def ticker(setup, groups, progress):
    """Return a function that reports one more update done."""
    total = sum(len(blocks(setup, len(group.row))) for group in groups)
    total *= setup["reinforce"]["updates"] + 1
    done, lock = [0], Lock()

    def tick():
        with lock:
            done[0] += 1
            if progress is not None:
                progress(done[0], total)

    return tick


def start_of(setup, reference, losses, chosen):
    """Return the supervised start: loss and both rewards, of each seed and their means."""
    u, v = targets(setup["operation"])
    reward = evaluated(reference, enumerated(reference), u, v).reward.astype(float)  # [S, 100]
    found = {
        "loss": losses.astype(float),
        "reward_training": reward[:, chosen].mean(axis=-1),
        "reward_held_out": reward[:, ~chosen].mean(axis=-1),
    }
    means = {f"mean_{name}": float(values.mean()) for name, values in found.items()}
    return {name: values.tolist() for name, values in found.items()} | means


def gradients_found(setup, reference, record, runs, chosen, count):
    """Return the gradient checks at the last update of every run of the main experiment, see gradient_checks."""
    u, v = targets(setup["operation"])
    inputs = np.flatnonzero(chosen)
    log_q = trajectory_log_probs(enumerated(reference, inputs))[runs.row[:count]]
    parameters = named(record.final[:count], setup["hidden"])
    rewards = rewards_of(u[inputs], v[inputs])
    return gradient_checks(parameters, log_q, inputs, rewards, runs.beta[:count])


def gradient_results(setup, found):
    """Return the worst gradient check of all runs, and the means of each beta."""
    by_beta = gradient_means(setup, found)
    return {
        "identity": float(found["identity"].max()),
        "by_beta": [
            {"beta": float(beta)} | {name: float(values[b]) for name, values in by_beta.items()}
            for b, beta in enumerate(setup["betas"])
        ],
    }


def gradient_means(setup, found):
    """Return name -> mean of each beta, of what is found in each run. -> [B] each."""
    rows = len(setup["betas"])
    return {name: found[name].reshape(rows, -1).mean(axis=-1) for name in ("length", "product", "value_only")}


def digest_results(setup, before, reference, record):
    """Return, for each seed, the reference's SHA-256 before and after all training, and what it shares with others."""
    after = digests(reference)
    writable = any(value.flags.writeable for value in reference.values())
    current = digests(named(record.final, setup["hidden"]))
    count = len(setup["seeds"])
    return {
        "seeds": [
            {
                "seed": seed,
                "before": before[s],
                "after": after[s],
                "same": before[s] == after[s],
                "current": [current[b * count + s] for b in range(len(setup["betas"]))],
            }
            for s, seed in enumerate(setup["seeds"])
        ],
        "all_same": before == after,
        "reference_is_read_only": not writable,
    }


def part_of(record, rows):
    """Return reward and KL of some runs of a record."""
    return SimpleNamespace(reward=record.reward[:, rows], kl=record.kl[:, rows])


def grids(setup, record):
    """Return the expected reward of all hundred inputs at every evaluation: one packed text per beta, [S, E, 100]."""
    count = len(setup["seeds"])
    return {
        "scale": SCALE,
        "shape": [count, len(record.reward), INPUTS],
        "betas": [
            {
                "beta": float(beta),
                "rewards": packed_rewards(np.moveaxis(record.reward[:, b * count : (b + 1) * count], 0, 1)),
            }
            for b, beta in enumerate(setup["betas"])
        ],
    }


def checkpoints(setup, reference, record):
    """Return the parameters of the shown seeds, packed: the reference (update 0), and each beta's later checkpoints.

    A part: seed, beta (None: the reference), updates, parameters (float32 [updates, 51 H + 20]).
    """
    shown, count = setup["shown"], len(setup["seeds"])
    later = [n for n, update in enumerate(shown["checkpoint_updates"]) if update > 0]
    updates = [shown["checkpoint_updates"][n] for n in later]
    start = flat(reference)
    parts = []
    for seed in shown["checkpoint_seeds"]:
        s = setup["seeds"].index(seed)
        parts.append({"seed": seed, "beta": None, "updates": [0], "parameters": packed_parameters(start[s])})
        parts += [
            {
                "seed": seed,
                "beta": float(beta),
                "updates": updates,
                "parameters": packed_parameters(record.rows[later, b * count + s]),
            }
            for b, beta in enumerate(setup["betas"])
        ]
    return {"parameters": parameter_count(setup["hidden"]), "parts": parts}
