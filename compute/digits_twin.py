"""The trained policy of the experiment "ten actions, two steps", one input at a time, in plain Python.

The same numbers as compute/digits/policy.py and evaluation.py give; parameters come in a row, in the order said there.
Shapes: H hidden units, ten actions per step; log_u [10], log_v [u][v], both of one policy at one input.
"""

from math import exp, tanh

from .matrices import added
from .policy import log_softmax
from .rounding import settled_sum

ACTIONS = 10


def parameter_count(hidden):
    """Return how many numbers a policy with H hidden units has."""
    return (5 * hidden + 2) * ACTIONS + hidden


def rows(parameters, start, count, width):
    """Return a table [count][width] that begins at this place of the row of parameters."""
    return [parameters[start + n * width : start + (n + 1) * width] for n in range(count)]


def tables(parameters, hidden):
    """Return the parameters as tables, by name. parameters [51 H + 20]."""
    size = ACTIONS * hidden
    bias, first = 2 * size, 2 * size + hidden
    first_bias = first + size
    embedding = first_bias + ACTIONS
    second = embedding + size
    second_bias = second + size
    return {
        "digit_a": rows(parameters, 0, ACTIONS, hidden),
        "digit_b": rows(parameters, size, ACTIONS, hidden),
        "bias": parameters[bias:first],
        "first": rows(parameters, first, hidden, ACTIONS),
        "first_bias": parameters[first_bias:embedding],
        "embedding": rows(parameters, embedding, ACTIONS, hidden),
        "second": rows(parameters, second, hidden, ACTIONS),
        "second_bias": parameters[second_bias : second_bias + ACTIONS],
    }


def step(z, weights, bias):
    """Return log softmax of tanh(z) times weights plus bias. z [H], weights [H][10], bias [10] -> [10]."""
    totals = [0.0] * ACTIONS
    for value, row in zip(z, weights):
        active = tanh(value)
        totals = [total + active * weight for total, weight in zip(totals, row)]
    return log_softmax([totals[v] + bias[v] for v in range(ACTIONS)])


def log_probs(table, a, b):
    """Return log p(u) [10] and log p(v | u) [10][10] at the input (a, b). table: see tables."""
    z = [x + y + c for x, y, c in zip(table["digit_a"][a], table["digit_b"][b], table["bias"])]
    log_v = []
    for row in table["embedding"]:
        after = [x + y for x, y in zip(z, row)]
        log_v.append(step(after, table["second"], table["second_bias"]))
    return step(z, table["first"], table["first_bias"]), log_v


def right_answer(operation, a, b):
    """Return both digits of the two-digit sum or product."""
    value = a + b if operation == "sum" else a * b
    return [value // ACTIONS, value % ACTIONS]


def entry(log_p, log_q):
    """Return one outcome's probability under both policies, its log-ratio, and its part p log(p / q) of the KL."""
    p = exp(log_p)
    return {"p": p, "q": exp(log_q), "log_ratio": log_p - log_q, "share": p * (log_p - log_q)}


def distribution(log_p, log_q):
    """Return the entries of one step's ten outcomes."""
    return [entry(p, q) for p, q in zip(log_p, log_q)]


def trajectories(current, reference, right):
    """Return all hundred trajectories: u, v, entry and strict reward. current, reference: (log_u, log_v)."""
    found = []
    for u in range(ACTIONS):
        for v in range(ACTIONS):
            path = entry(current[0][u] + current[1][u][v], reference[0][u] + reference[1][u][v])
            path["u"], path["v"] = u, v
            path["reward"] = 1 if [u, v] == right else 0
            found.append(path)
    return found


def kl_of(entries):
    """Return KL(p || q), the sum of the entries' parts; what rounding leaves below 0 is 0."""
    total = settled_sum([item["share"] for item in entries])
    return total if total > 0 or total != total else 0.0


def at_input(current, reference, right):
    """Return everything about one input: both steps, all trajectories, reward, KL directly and by the chain rule.

    current, reference: (log_u, log_v) there; right: both digits of the right answer.
    KL = KL of step 1 + sum over u of p(u) KL of step 2 given u. Source: Cover and Thomas (2006), theorem 2.5.3.
    """
    paths = trajectories(current, reference, right)
    first = distribution(current[0], reference[0])
    for u, item in enumerate(first):
        item["u"] = u
        item["second_kl"] = kl_of(distribution(current[1][u], reference[1][u]))
        item["weighted"] = item["p"] * item["second_kl"]
    direct, chain = kl_of(paths), kl_of(first) + added([item["weighted"] for item in first])
    total = added([path["p"] for path in paths])
    return {
        "first": first,
        "trajectories": paths,
        "reward": added([path["p"] * path["reward"] for path in paths]),
        "reference_reward": added([path["q"] * path["reward"] for path in paths]),
        "first_kl": kl_of(first),
        "second_kl": added([item["weighted"] for item in first]),
        "kl": direct,
        "kl_chain": chain,
        "kl_difference": abs(direct - chain),
        "sum": total,
        "sum_error": abs(total - 1.0),
    }


def picked(current, reference, path, beta):
    """Return one trajectory step by step, with its return R - beta log(p / q). path: of trajectories."""
    u, v = path["u"], path["v"]
    found = {"p_u": exp(current[0][u]), "q_u": exp(reference[0][u])}
    found["p_v"], found["q_v"] = exp(current[1][u][v]), exp(reference[1][u][v])
    found["return"] = path["reward"] - beta * path["log_ratio"]
    found.update(path)
    return found
