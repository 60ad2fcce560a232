"""The experiment's runs by PyTorch, see digits_training.py, as a tree with the ids of the page."""

import torch

from .digits_training import (
    Group,
    exact_run,
    gradient_lengths,
    right_trajectories,
    sampled_run,
    supervised,
    table,
    training_inputs,
)

QUANTITIES = ("reward_training", "reward_held_out", "kl_training", "kl_held_out")


def runs_by_autograd(setup):
    """Return what is registered of the runs: start, curves, final values, facts, gradients and step sizes."""
    right, training = right_trajectories(setup["operation"]), training_inputs(setup)
    chosen = torch.zeros(100, dtype=torch.bool)
    chosen[training] = True
    references, losses = supervised(setup, right)
    plan, seeds = setup["rates"], setup["seeds"]
    rate = setup["reinforce"]["rate"]
    main = [(row, beta, rate) for beta in setup["betas"] for row in range(len(seeds))]
    rated = [(seeds.index(seed), plan["beta"], rate) for rate in plan["rates"] for seed in plan["seeds"]]
    sampled = sampled_run(setup, Group(main, references), right, training)
    by_rate = {
        way: quantities(run(setup, Group(rated, references), right, training), chosen, len(plan["rates"]))
        for way, run in (("sampled", sampled_run), ("exact", exact_run))
    }
    start = {
        f"reward_{name}": values for name, values in parts(rewards_of(references, right), chosen).items()
    }
    rows = len(setup["betas"])
    series = quantities(sampled, chosen, rows)
    series["sampled_kl"] = per_row(sampled.recorded("sampled_kl"), rows)
    final = {name: values[..., -1] for name, values in series.items()}
    return {
        "parameters": sum(value[0].numel() for value in references.values()),
        "updates": list(range(0, setup["reinforce"]["updates"] + 1, setup["reinforce"]["evaluate_every"])),
        "inputs": {"training_count": len(training), "held_out_count": 100 - len(training)},
        "start": {"mean_loss": losses.mean().item()}
        | {f"mean_{name}": values.mean().item() for name, values in start.items()},
        "curves": [{name: six_digits(values[b]) for name, values in series.items()} for b in range(rows)],
        "final": [{name: ends(values[b]) for name, values in final.items()} for b in range(rows)],
        "facts": facts(setup["betas"], start, final),
        "checks": {
            "gradient": {"by_beta": means(setup["betas"], gradient_lengths(sampled, right, training))}
        },
        "rates": {
            "rows": [
                {"beta_times_rate": plan["beta"] * rate}
                | {
                    way: {name: ends(values[r, :, -1]) for name, values in found.items()}
                    for way, found in by_rate.items()
                }
                for r, rate in enumerate(plan["rates"])
            ]
        },
    }


def rewards_of(parameters, right):
    """Return the expected reward of every input. -> [R, 100]."""
    return table(parameters)[:, torch.arange(100), right].exp()


def parts(values, chosen):
    """Return the means over the training and the held-out inputs. values [..., 100]."""
    return {"training": values[..., chosen].mean(-1), "held_out": values[..., ~chosen].mean(-1)}


def per_row(values, rows):
    """Return what was recorded of runs that go row by row, seed by seed. [E, R] -> [rows, S, E]."""
    return values.unflatten(1, (rows, -1)).movedim(0, -1)


def quantities(group, chosen, rows):
    """Return reward and KL on both kinds of input. -> name -> [rows, S, E]."""
    return {
        f"{quantity}_{name}": per_row(values, rows)
        for quantity in ("reward", "kl")
        for name, values in parts(group.recorded(quantity), chosen).items()
    }


def six_digits(values):
    """Return the mean over the seeds, to six significant digits. [S, E] -> [E]."""
    return [float(f"{value:.6g}") for value in values.mean(0).tolist()]


def means(betas, found):
    """Return for each beta the means over its runs of what was found in each. found: name -> [R]."""
    return [
        {"beta": beta}
        | {name: values.unflatten(0, (len(betas), -1))[b].mean().item() for name, values in found.items()}
        for b, beta in enumerate(betas)
    ]


def ends(values):
    """Return mean, lowest and highest over the seeds."""
    return {"mean": values.mean().item(), "lowest": values.min().item(), "highest": values.max().item()}


def facts(betas, start, final):
    """Return how reward and KL changed with each beta, and which beta does best."""
    means = {name: final[name].mean(-1) for name in QUANTITIES}
    rows = []
    for b in range(len(betas)):
        row = {name: means[name][b].item() for name in ("kl_training", "kl_held_out")}
        for name in ("reward_training", "reward_held_out"):
            change = final[name][b] - start[name]
            row[f"{name}_change"] = change.mean().item()
            row[f"{name}_seeds_rising"] = int((change > 0).sum())
            row[f"{name}_seeds_falling"] = int((change < 0).sum())
        rows.append(row)
    changes = [(row["reward_training_change"], row["reward_held_out_change"]) for row in rows]
    return {
        "by_beta": rows,
        "betas": len(betas),
        "betas_with_both": sum(training > 0 > held_out for training, held_out in changes),
        "best_reward_held_out": extreme(betas, -means["reward_held_out"]),
        "best_reward_training": extreme(betas, -means["reward_training"]),
        "lowest_kl_training": extreme(betas, means["kl_training"]),
        "lowest_kl_held_out": extreme(betas, means["kl_held_out"]),
        "highest_kl_held_out": extreme(betas, -means["kl_held_out"]),
    }


def extreme(betas, values):
    """Return the beta with the smallest value; None where one is undefined."""
    return None if values.isnan().any() else betas[int(values.argmin())]
