"""What equal rewards leave in float32, with numpy's own float32, as a tree with the ids of the page."""

import numpy as np

REWARD, COUNT = 0.1, 8
EPSILONS = (1e-9, 1e-8, 1e-6, 1e-4)  # added below the line by different libraries


def notes_by_numpy():
    """Return the atlas's note on equal rewards: mean and sample deviation added up in order, and each advantage."""
    rewards = np.full(COUNT, REWARD, dtype=np.float32)
    mean = np.cumsum(rewards)[-1] / np.float32(COUNT)
    deviation = np.sqrt(np.cumsum((rewards - mean) ** 2)[-1] / np.float32(COUNT - 1))
    advantages = [(rewards[0] - mean) / (deviation + np.float32(epsilon)) for epsilon in EPSILONS]
    return {
        "notes": {
            "equal_rewards_float32": {
                "reward": REWARD,
                "count": COUNT,
                "residue": float(mean) - float(rewards[0]),
                "deviation": float(deviation),
                "advantages": [
                    {"epsilon": epsilon, "advantage": float(value)}
                    for epsilon, value in zip(EPSILONS, advantages)
                ],
            }
        }
    }
