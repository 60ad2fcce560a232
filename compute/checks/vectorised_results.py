"""The main page's numbers by the second route with numpy, as a tree with the ids of the page."""

import numpy as np

from .vectorised import arrays, at_parameters, log_softmax, second_route

MARGIN = 0.15  # free space left and right of what the curves of the objective have to show
DECIDED = 1e-13  # a smaller change of the loss is rounding's: whether it is a rise nobody can confirm


def update_by_numpy(setup, settings, beta_choices, expected):
    """Return state, curves, plateaus, facts and expectation; on the correct path only.

    Arguments: see compute/update_chapter.py.
    """
    batch = arrays(setup, settings)
    now = second_route(setup, settings)
    after = at_parameters(setup, settings, batch, now["W_next"])
    betas = beta_choices + [settings["beta"]] * (settings["beta"] not in beta_choices)
    found = {name: now[name].tolist() for name in ("W", "W_next", "gradient", "advantages")}
    found |= {name: now[name] for name in ("clipped", "outside")}
    found |= {name: float(now[name]) for name in ("loss", "kl")}
    curves = [curve(setup, settings | {"beta": beta}, batch) for beta in betas]
    return found | {
        "kl_exact": float(now["kl"]),
        "loss_next": float(after["loss"]),
        "counted": int(batch.valid.sum()),
        "positions": positions(batch, now, after),
        "curves": curves,
        "plateaus": plateaus(batch, now["ratios"], settings["clip_epsilon"]),
        "facts": facts(setup, batch, curves[betas.index(settings["beta"])]),
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


def plateaus(batch, ratios, epsilon):
    """Return both curves of the objective at their corners, and where the positions that count lie on them.

    The height over the ratio is min(rho, 1 + eps) for A > 0, -max(rho, 1 - eps) for A < 0.
    """
    low, high = 1 - epsilon, 1 + epsilon

    def heights(rho, sign):
        return np.where(sign > 0, np.minimum(rho, high), -np.maximum(rho, low))

    rho, A = ratios[batch.valid], np.broadcast_to(batch.A, batch.valid.shape)[batch.valid]
    finite = np.isfinite(rho) & np.isfinite(heights(rho, A) * A)
    on = finite & (A != 0)
    left, right = max(0.0, min([low, *rho[on]]) - MARGIN), max([high, *rho[on]]) + MARGIN
    corners = np.array([left, low, 1.0, high, right])
    points = zip(rho[on], np.clip(rho[on], low, high), heights(rho[on], A[on]))
    return {
        "low": low,
        "high": high,
        "corners": corners.tolist(),
        "positive": heights(corners, 1.0).tolist(),
        "negative": heights(corners, -1.0).tolist(),
        "counts": {
            "counted": len(rho),
            "positive": int((A[on] > 0).sum()),
            "negative": int((A[on] < 0).sum()),
            "neutral": int((A == 0).sum()),
            "beyond": int(((A != 0) & ~finite).sum()),
        },
        "points": [{"ratio": float(a), "clipped_ratio": float(b), "height": float(c)} for a, b, c in points],
    }


def facts(setup, batch, run):
    """Return the sizes of the rollout, and what the run under the chosen settings shows. run: a curve."""
    group, positions = batch.valid.shape
    features, actions = np.shape(setup["initial"])
    steps, clipped = np.diff(run["loss"]), np.array(run["clipped"])
    rises = 1 + np.flatnonzero(steps > 0)
    found = {
        "responses": group,
        "tokens": int(batch.acted.sum()),
        "positions": group * positions,
        "longest": positions - 1,
        "features": features,
        "actions": actions,
        "parameters": features * actions,
        "trajectories": actions**2,
        "steps": len(steps),
        "reward_sets": len(setup["rewards"]),
        "first_clipped": int(np.argmax(clipped > 0)) if clipped.any() else None,
        "most_clipped": int(clipped.max()),
        "loss_start": run["loss"][0],
        "loss_end": run["loss"][-1],
        "kl_start": run["kl"][0],
        "kl_end": run["kl"][-1],
    }
    if np.all(np.abs(steps) > DECIDED):
        found |= {"first_rise": int(rises[0]) if len(rises) else None, "rises": len(rises)}
    return found


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
