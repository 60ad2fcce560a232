"""The experiment's numbers by second routes: a state by enumeration with numpy, the training with more digits.

The state is computed in plain Python where readers choose one (compute/digits_twin.py), the training with numpy.
"""

import numpy as np

from ..digits.evaluation import chain_kl, direct_kl, enumerated, expected_reward, trajectory_log_probs
from ..digits.experiment import experiment
from ..digits.packing import unpacked_parameters
from ..digits.policy import named, parameter_count

MORE_DIGITS = np.longdouble
DECIMALS = 10_000.0  # the rewards of the grid have four decimals
NEAR_HALF = 0.01  # of a last decimal: rewards from the float32 of a checkpoint are off by less


def has_more_digits():
    """Tell whether this machine has a number type with more digits than float64 (on many it has not)."""
    return np.finfo(MORE_DIGITS).nmant > np.finfo(float).nmant


def runs_with_more_digits(setup):
    """Return the experiment's results, trained with MORE_DIGITS; about ten times as slow."""
    return experiment(setup, number=MORE_DIGITS, disturbed=False)


def state_by_numpy(live, parts, settings):
    """Return one input's distributions, reward and KL from the parameters that the page is given, as its tree.

    live, parts, settings: see compute/digits_live.py. None where that state is not shipped.
    """
    current = policy(live, parts, settings["seed"], settings["beta"], settings["update"])
    reference = policy(live, parts, settings["seed"], None, 0)
    if current is None or reference is None:
        return None
    place = [10 * settings["a"] + settings["b"]]
    p, q = enumerated(current, place), enumerated(reference, place)
    log_p, log_q = trajectory_log_probs(p)[0], trajectory_log_probs(q)[0]
    value = settings["a"] + settings["b"] if live["operation"] == "sum" else settings["a"] * settings["b"]
    u, v = divmod(value, 10)
    first = entries(p.log_u[0], q.log_u[0])
    after = settings["first"]
    for item, row in zip(first, second_kl := conditional_kl(p, q)):
        item |= {"second_kl": row, "weighted": item["p"] * row}
    return {
        "first": first,
        "second": entries(p.log_v[0, after], q.log_v[0, after]),
        "second_kl": float(np.exp(p.log_u[0]) @ second_kl),
        "trajectories": entries(log_p.ravel(), log_q.ravel()),
        "sum": float(np.exp(log_p).sum()),
        "picked": picked(p, q, (after, settings["second"]), (u, v), settings["beta"]),
        "grid": grid(current, live["operation"]),
        "reward": float(np.exp(log_p[u, v])),
        "reference_reward": float(np.exp(log_q[u, v])),
        "kl": float(direct_kl(p, q)[0]),
        "kl_chain": float(chain_kl(p, q)[0]),
        "first_kl": sum(item["share"] for item in first),
        "right": {"u": u, "v": v, "value": value},
    }


def right_digits(operation):
    """Return the digits of the right answer of every input. -> [100], [100]."""
    a, b = np.divmod(np.arange(100), 10)
    return np.divmod(a + b if operation == "sum" else a * b, 10)


def conditional_kl(p, q):
    """Return the KL of the second step after each first digit. -> [10]."""
    return (np.exp(p.log_v[0]) * (p.log_v[0] - q.log_v[0])).sum(axis=-1)


def picked(p, q, path, right, beta):
    """Return one trajectory step by step, with its return R - beta log(p / q)."""
    u, v = path
    steps = {"p_u": p.log_u[0, u], "p_v": p.log_v[0, u, v], "q_u": q.log_u[0, u], "q_v": q.log_v[0, u, v]}
    log_p, log_q = steps["p_u"] + steps["p_v"], steps["q_u"] + steps["q_v"]
    reward, log_ratio = int(path == right), float(log_p - log_q)
    return {
        **{name: float(np.exp(value)) for name, value in steps.items()},
        "p": float(np.exp(log_p)),
        "q": float(np.exp(log_q)),
        "log_ratio": log_ratio,
        "share": float(np.exp(log_p)) * log_ratio,
        "reward": reward,
        "return": reward - float(beta) * log_ratio,
    }


def grid(current, operation):
    """Return every input's expected reward to four decimals [10][10].

    A place is left out ("", which is no number) where the float32 of a checkpoint may round to the other decimal.
    """
    u, v = right_digits(operation)
    scaled = DECIMALS * expected_reward(enumerated(current), u, v)
    certain = np.abs(scaled - np.floor(scaled) - 0.5) > NEAR_HALF
    values = [float(n) / DECIMALS if sure else "" for n, sure in zip(np.rint(scaled), certain)]
    return [values[10 * a : 10 * a + 10] for a in range(10)]


def policy(live, parts, seed, beta, update):
    """Return a shipped policy's parameters by name, None where it is not shipped. beta None: the reference."""
    if update == 0:
        beta = None
    for part in parts:
        if (
            "parameters" in part
            and (part["seed"], part["beta"]) == (seed, beta)
            and update in part["updates"]
        ):
            rows = unpacked_parameters(part["parameters"], parameter_count(live["hidden"]))
            return named(rows[part["updates"].index(update)], live["hidden"])
    return None


def entries(log_p, log_q):
    """Return the entries of some outcomes, see compute/digits_twin.py."""
    p = np.exp(log_p)
    rows = zip(p, np.exp(log_q), log_p - log_q, p * (log_p - log_q))
    return [{"p": float(a), "q": float(b), "log_ratio": float(c), "share": float(d)} for a, b, c, d in rows]
