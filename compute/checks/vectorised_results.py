"""The main page's numbers by the second route with numpy, as a tree with the ids of the page."""

import numpy as np

from .vectorised import arrays, at_parameters, log_softmax, second_route


def update_by_numpy(setup, settings, beta_choices, expected):
    """Return state, curves and expectation; on the correct path only. Arguments: see compute/update_chapter.py."""
    batch = arrays(setup, settings)
    now = second_route(setup, settings)
    after = at_parameters(setup, settings, batch, now["W_next"])
    betas = beta_choices + [settings["beta"]] * (settings["beta"] not in beta_choices)
    found = {name: now[name].tolist() for name in ("W", "W_next", "gradient", "advantages")}
    found |= {name: now[name] for name in ("clipped", "outside")}
    found |= {name: float(now[name]) for name in ("loss", "kl")}
    return found | {
        "kl_exact": float(now["kl"]),
        "loss_next": float(after["loss"]),
        "counted": int(batch.valid.sum()),
        "positions": positions(batch, now, after),
        "curves": [curve(setup, settings | {"beta": beta}, batch) for beta in betas],
        "expectation": expectation(setup, expected),
    }


def positions(batch, now, after):
    """Return a row for every position, response by response: what numpy has of it."""
    rows = []
    for place in np.ndindex(batch.valid.shape):
        row = {
            "weight": float(batch.weight[place]),
            "advantage": float(batch.advantage[place[0]]),
            "features": batch.x[place].tolist(),
            "probs": now["probs"][place].tolist(),
            "kl": float(now["position_kl"][place]),
            "dlogits": now["dlogits"][place].tolist(),
        }
        if batch.acted[place]:
            action = batch.action[place]
            row |= {
                "ratio": float(now["ratios"][place]),
                "prob": float(now["probs"][place][action]),
                "prob_next": float(after["probs"][place][action]),
                "logprob": float(np.log(now["probs"][place][action])),
            }
        rows.append(row)
    return rows


def curve(setup, settings, batch):
    """Return loss, KL and clipped count before every update and after the last."""
    now = at_parameters(setup, settings, batch, np.array(setup["initial"], dtype=float))
    steps = [now]
    for _ in range(setup["steps"]):
        now = at_parameters(setup, settings, batch, now["W_next"])
        steps.append(now)
    return {
        "loss": [float(step["loss"]) for step in steps],
        "kl": [float(step["kl"]) for step in steps],
        "clipped": [step["clipped"] for step in steps],
    }


def expectation(setup, expected):
    """Return E[R] of the two steps and its gradient, as one contraction over the table of trajectories."""
    parameters = np.array(setup["initial"], dtype=float)
    actions = np.arange(parameters.shape[1])
    first = np.array(expected["first"], dtype=float)
    features = np.array(expected["second_base"], dtype=float) + np.outer(
        actions, expected["second_per_action"]
    )
    p = np.exp(log_softmax(first @ parameters))
    second = np.exp(log_softmax(features @ parameters))
    rewards = np.array(expected["rewards"], dtype=float)
    inner = np.sum(second * rewards, axis=1)
    total = p @ inner
    gradient = np.outer(first, p * (inner - total))
    gradient += np.einsum("a,ad,ab->db", p, features, second * (rewards - inner[:, None]))
    table = p[:, None] * second
    return {
        "reward": float(total),
        "probability": float(table.sum()),
        "gradient": gradient.tolist(),
        "score_gradient": gradient.tolist(),
        "trajectories": [
            {"probability": float(chance), "reward": float(reward), "contribution": float(chance * reward)}
            for chance, reward in zip(table.ravel(), rewards.ravel())
        ],
    }
