"""What the experiment shows, in figures that a sentence can be chosen by; nothing here is taken for granted.

B betas, S seeds. start: of the supervised model; final: after the last update.
"""

import numpy as np

QUANTITIES = ("reward_training", "reward_held_out", "kl_training", "kl_held_out")


def facts(betas, start, final):
    """Return for each beta what changed, and which beta does best. start [S], final [B, S] of each quantity by name.

    start has no KL: at the start the policy is the reference.
    """
    means = {name: final[name].mean(axis=-1) for name in QUANTITIES}
    by_beta = [beta_facts(betas, b, start, final) for b in range(len(betas))]
    return {
        "by_beta": by_beta,
        "betas": len(betas),
        "betas_with_both": sum(found["both"] for found in by_beta),
        "best_reward_held_out": extreme(betas, -means["reward_held_out"]),
        "best_reward_training": extreme(betas, -means["reward_training"]),
        "lowest_kl_training": extreme(betas, means["kl_training"]),
        "lowest_kl_held_out": extreme(betas, means["kl_held_out"]),
        "highest_kl_held_out": extreme(betas, -means["kl_held_out"]),
        "trend": {name: trend(betas, means[name]) for name in QUANTITIES},
    }


def beta_facts(betas, b, start, final):
    """Return how reward and KL of one beta changed: means over the seeds, and in how many seeds."""
    found = {"beta": float(betas[b])}
    for name in ("reward_training", "reward_held_out"):
        change = final[name][b] - start[name]
        found[f"{name}_change"] = float(change.mean())
        found[f"{name}_rises"] = bool(change.mean() > 0)
        found[f"{name}_falls"] = bool(change.mean() < 0)
        found[f"{name}_seeds_rising"] = int((change > 0).sum())
        found[f"{name}_seeds_falling"] = int((change < 0).sum())
    training, held_out = final["kl_training"][b], final["kl_held_out"][b]
    found["kl_training"], found["kl_held_out"] = float(training.mean()), float(held_out.mean())
    found["kl_held_out_grows"] = bool(held_out.mean() > 0)
    found["kl_held_out_above_training"] = bool(held_out.mean() > training.mean())
    found["both"] = found["reward_training_rises"] and found["reward_held_out_falls"]
    return found


def extreme(betas, values):
    """Return the beta with the smallest value; None where one is undefined."""
    return None if np.isnan(values).any() else float(betas[int(np.argmin(values))])


def trend(betas, values):
    """Return whether the values, in order of beta, only rise, only fall, stay the same, or none of these."""
    steps = np.diff(values[np.argsort(betas)])
    if len(steps) and (steps > 0).all():
        return "rising"
    if len(steps) and (steps < 0).all():
        return "falling"
    return "constant" if (steps == 0).all() else "neither"
