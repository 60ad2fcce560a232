"""A second route to a state with numpy: the batch as one padded array, the gradient in matrix form.

Arrays are [G, T + 1, ...]: one row per response, its prompt first, then T positions, T the longest response.
Nothing is imported from the core; the clip is written by cases of the advantage's sign instead of with min.
"""

from types import SimpleNamespace

import numpy as np


def arrays(setup, settings):
    """Return the batch as padded arrays: x [G,T+1,d], action [G,T+1] (0 where none), valid, A [G,1], w."""
    responses = setup["responses"]
    group, width = len(responses), max(len(response["actions"]) for response in responses)
    x = np.empty((group, width + 1, len(setup["prompt"])))
    x[:, 0] = setup["prompt"]
    x[:, 1:] = setup["padding"]
    action = np.zeros((group, width + 1), dtype=int)
    acted = np.zeros((group, width + 1), dtype=bool)
    valid = np.zeros((group, width + 1), dtype=bool)
    for i, response in enumerate(responses):
        length = len(response["actions"])
        x[i, 1 : length + 1] = response["features"]
        action[i, 1 : length + 1] = response["actions"]
        acted[i, 1 : length + 1] = True
        valid[i, 1 : length + 1] = response["mask"]
    valid[:, 1 + settings["keep"] :] = False

    rewards = settings["rewards"]
    rewards = np.array(setup["rewards"][rewards] if isinstance(rewards, str) else rewards, dtype=float)
    advantage = np.zeros(group)
    if np.ptp(rewards) > 0:
        advantage = (rewards - np.mean(rewards)) / np.std(rewards)  # numpy's default is the population's

    lengths = valid.sum(axis=1, keepdims=True)
    per_response = settings["normalization"] == "response"
    divisor = np.count_nonzero(lengths) * lengths if per_response else np.full_like(lengths, lengths.sum())
    weight = np.divide(valid, divisor, out=np.zeros(valid.shape), where=valid)
    return SimpleNamespace(
        x=x, action=action, acted=acted, valid=valid, advantage=advantage, A=advantage[:, None], weight=weight
    )


def log_softmax(z):
    """Return log softmax over the last axis."""
    return z - np.logaddexp.reduce(z, axis=-1, keepdims=True)


def at_parameters(setup, settings, batch, parameters):
    """Return every number of the update at these parameters [d][V]."""
    beta, epsilon = settings["beta"], settings["clip_epsilon"]
    weight, A = batch.weight, batch.A
    logits = batch.x @ parameters
    log_probs = log_softmax(logits)
    old = log_softmax(batch.x @ np.array(setup["behaviour"]))
    reference = log_softmax(batch.x @ np.array(setup["reference"]))
    probs = np.exp(log_probs)
    one_hot = np.eye(parameters.shape[1])[batch.action]
    with np.errstate(over="ignore"):
        ratio = np.exp(np.sum(one_hot * (log_probs - old), axis=-1))

    # A > 0: u = A min(rho, 1 + eps), flat above; A < 0: u = A max(rho, 1 - eps), flat below.
    bounded = np.where(A > 0, np.minimum(ratio, 1 + epsilon), np.maximum(ratio, 1 - epsilon))
    clipped = ((A > 0) & (ratio > 1 + epsilon)) | ((A < 0) & (ratio < 1 - epsilon))
    surrogate = np.where(A == 0, 0.0, bounded * A)
    slope = np.where(clipped, 0.0, A * np.ones_like(ratio)) * np.where(A == 0, 0.0, ratio)
    log_quotient = log_probs - reference
    kl = np.einsum("gtv,gtv->gt", probs, log_quotient)
    dlogits = weight[..., None] * (
        slope[..., None] * (probs - one_hot) + beta * probs * (log_quotient - kl[..., None])
    )
    gradient = np.einsum("gtd,gtv->dv", batch.x, dlogits)
    return {
        "loss": np.sum(np.where(batch.valid, weight * (beta * kl - surrogate), 0.0)),
        "kl": np.vdot(weight, kl),
        "gradient": gradient,
        "weights": weight,
        "ratios": ratio,
        "probs": probs,
        "dlogits": dlogits,
        "position_kl": kl,
        "clipped": int(np.count_nonzero(clipped & batch.valid)),
        "outside": int(np.count_nonzero(batch.valid & ((ratio < 1 - epsilon) | (ratio > 1 + epsilon)))),
        "W": parameters,
        "W_next": parameters - settings["learning_rate"] * gradient,
    }


def second_route(setup, settings):
    """Return at_parameters after settings["step"] updates, with the batch's `acted` and `advantages` added."""
    batch = arrays(setup, settings)
    now = at_parameters(setup, settings, batch, np.array(setup["initial"], dtype=float))
    for _ in range(settings["step"]):
        now = at_parameters(setup, settings, batch, now["W_next"])
    return {**now, "acted": batch.acted, "advantages": batch.advantage}
