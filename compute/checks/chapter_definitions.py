"""The chapter on KL and clipping once more, each quantity written from its definition, with fifty digits.

Nothing is imported from the core. Where a probability is 0 and a logarithm has no value, the quantity is left out.
Call inside workdps(DIGITS).
"""

from mpmath import binomial, exp, findroot, log, mpf, sqrt

STEP = mpf(1e-5)  # of the difference that the page shows beside the derivative


def chapter_by_definition(setup, settings):
    """Return the chapter's numbers as a tree with the ids of the page. setup, settings: see compute/kl_chapter.py."""
    s = {key: given(value) for key, value in settings.items()}
    p, q, rewards, beta = two(s["p"]), two(s["q"]), s["rewards"], s["beta"]
    epsilon = s["clip_epsilon"]
    cases = [clip_case(mpf(c["ratio"]), mpf(c["advantage"]), epsilon) for c in setup["cases"]]
    found = {
        "clip": {
            "low": 1 - epsilon,
            "high": 1 + epsilon,
            "point": clip_case(s["ratio"], s["advantage"], epsilon),
            "cases": cases,
        }
        | regions(epsilon),
        "tokens": tokens(s["token_ratio"], settings["length"], epsilon),
        "cost": [cost(settings["vocabulary"], n, setup["batch"]) for n in range(1, setup["longest"] + 1)],
    }
    found["curve"] = {"p": [mpf(k) / 50 for k in range(51)]}
    if 0 < s["p"] < 1 and 0 < s["q"] < 1:
        found |= two_paths(p, q, rewards, beta)
        found["curve"] |= {
            "reward": [expected(two(mpf(k) / 50), rewards) for k in range(51)],
            "objective": [objective(two(mpf(k) / 50), q, rewards, beta) for k in range(51)],
        }
        found["gradient"] = gradient(p, q, rewards, beta)
        found["groups"] = [group(p, q, n) for n in setup["group_sizes"]]
        found["group"] = group(p, q, settings["n"]) | {"outcomes": outcomes(p, q, settings["n"])}
    if 0 < s["tree_p"] < 1 and 0 < s["tree_q"] < 1:
        found["tree"] = tree(two(s["tree_p"]), two(s["tree_q"]), s["tree_kl"])
    return found


def given(value):
    """Return a setting's float64 numbers taken exactly."""
    return [mpf(item) for item in value] if isinstance(value, list) else mpf(value)


def two(first):
    """Return the distribution over two paths."""
    return [first, 1 - first]


def kl(p, q):
    """Return the sum of p log(p / q)."""
    return sum(a * log(a / b) for a, b in zip(p, q) if a)


def expected(p, values):
    """Return the sum of p times value."""
    return sum(a * value for a, value in zip(p, values))


def objective(p, q, rewards, beta):
    """Return E_p[R] - beta KL(p || q)."""
    return expected(p, rewards) - beta * kl(p, q)


def two_paths(p, q, rewards, beta):
    """Return both divergences, the objective and its optimum, q exp(R / beta) normalised."""
    found = {
        "paths": [
            {
                "p": a,
                "q": b,
                "log_ratio": log(a) - log(b),
                "share": a * log(a / b),
                "reverse_share": b * log(b / a),
            }
            for a, b in zip(p, q)
        ],
        "kl": kl(p, q),
        "reverse_kl": kl(q, p),
        "reward": expected(p, rewards),
        "penalty": beta * kl(p, q),
        "objective": objective(p, q, rewards, beta),
        "reference_objective": expected(q, rewards),
    }
    if beta > mpf(10) ** -3:
        weights = [b * exp(r / beta) for b, r in zip(q, rewards)]
        best = [weight / sum(weights) for weight in weights]
        for path, share in zip(found["paths"], best):
            path["optimum"] = share
        # At the optimum the objective is beta log sum q exp(R / beta).
        found["optimum"] = {"reward": expected(best, rewards), "objective": beta * log(sum(weights))}
        found["optimum"]["kl"] = (found["optimum"]["reward"] - found["optimum"]["objective"]) / beta
    return found


def gradient(p, q, rewards, beta):
    """Return the derivative in theta, p = softmax(theta, 0), in closed form: p1 p2 times differences of the paths."""
    both = p[0] * p[1]
    returns = [r - beta * log(a / b) for r, a, b in zip(rewards, p, q)]
    right = both * (returns[0] - returns[1])
    product = -beta * both * (log(p[0]) - log(p[1]))
    value_only = both * (rewards[0] - rewards[1])
    signs = (1, -1)
    theta = log(p[0] / p[1])
    above, below = [objective(at_logit(theta + step), q, rewards, beta) for step in (STEP, -STEP)]
    return {
        "finite_difference": (above - below) / (2 * STEP),
        "paths": [
            {
                "score": sign * other,
                "return": value,
                "return_part": sign * both * value,
                "bracket_part": -sign * beta * both,
                "product_part": -sign * beta * both * log(a),
                "reward_part": sign * both * r,
            }
            for sign, a, other, value, r in zip(signs, p, reversed(p), returns, rewards)
        ],
        "bracket_sum": mpf(0),
        "gradient": right,
        "product": right + product,
        "product_error": product,
        "value_only": value_only,
        "value_only_error": value_only - right,
    }


def at_logit(theta):
    """Return softmax(theta, 0)."""
    return two(1 / (1 + exp(-theta)))


def outcomes(p, q, n):
    """Return the mean log-ratio of n samples of which k take path 1, and how probable that is, for k = 0 ... n."""
    first, second = [log(a / b) for a, b in zip(p, q)]
    return [
        {
            "count": k,
            "mean": (k * first + (n - k) * second) / n,
            "probability": binomial(n, k) * p[0] ** k * p[1] ** (n - k),
        }
        for k in range(n + 1)
    ]


def group(p, q, n):
    """Return mean, deviation and lower tail of a mean log-ratio, by the binomial law's own formulas."""
    below = [o["probability"] for o in outcomes(p, q, n) if o["mean"] < -(mpf(10) ** -14)]
    return {
        "n": n,
        "mean": kl(p, q),
        "deviation": sqrt(p[0] * p[1] / n) * abs(log(p[0] / q[0]) - log(p[1] / q[1])),
        "negative": sum(below, mpf(0)),
    }


def clip_case(ratio, advantage, epsilon):
    """Return one point of the clip map, by cases of the advantage's sign."""
    low, high = 1 - epsilon, 1 + epsilon
    bounded = sorted([low, ratio, high])[1]
    clipped = ratio > high if advantage > 0 else ratio < low
    value = advantage * (min(ratio, high) if advantage > 0 else max(ratio, low))
    outside = not low <= ratio <= high
    return {
        "ratio": ratio,
        "advantage": advantage,
        "bounded": bounded,
        "unclipped": ratio * advantage,
        "clipped_term": bounded * advantage,
        "surrogate": value,
        "slope": mpf(0) if clipped else advantage,
        "twin": bounded * advantage,
        "twin_slope": mpf(0) if outside else advantage,
        "twin_error": bounded * advantage - value,
    }


def regions(epsilon):
    """Return how many regions of the clip map there are, and in how many each rule cuts the gradient."""
    middles = ((1 - epsilon) / 2, mpf(1), 2 * (1 + epsilon))
    found = [clip_case(ratio, sign, epsilon) for sign in (1, -1) for ratio in middles]
    cut = {name: sum(case[name] == 0 for case in found) for name in ("slope", "twin_slope")}
    return {"count": len(found), "cut": cut["slope"], "twin_cut": cut["twin_slope"]}


def tokens(ratio, length, epsilon):
    """Return the powers of a token ratio, and the first that leaves the interval."""
    outside = [n for n in range(1, length + 1) if not 1 - epsilon <= ratio**n <= 1 + epsilon]
    return {
        "first_outside": outside[0] if outside else None,
        "log_token": log(ratio),
        "log_sum": length * log(ratio),
        "ratio": ratio**length,
        "by_length": [{"length": n, "ratio": ratio**n} for n in range(1, length + 1)],
    }


def tree(first_p, first_q, second_kl):
    """Return the chain rule: the second steps from their KL by a root finder, the total over all trajectories."""
    second = [with_kl_to_uniform(nats) for nats in second_kl]
    half = mpf(1) / 2
    first = kl(first_p, first_q)
    right, wrong = expected(first_p, second_kl), expected(first_q, second_kl)
    paths = [(p_u * p_v, q_u * half) for p_u, q_u, row in zip(first_p, first_q, second) for p_v in row]
    return {
        "first": first,
        "expected_second": right,
        "wrong_second": wrong,
        "chain": first + right,
        "wrong": first + wrong,
        "wrong_error": wrong - right,
        "direct": kl(*zip(*paths)),
        "trajectories": [against(p, q) for p, q in paths],
        "steps": [
            against(p, q)
            | {
                "second_p": row,
                "second_q": [half, half],
                "kl": nats,
                "weighted": p * nats,
                "wrongly_weighted": q * nats,
            }
            for p, q, row, nats in zip(first_p, first_q, second, second_kl)
        ],
    }


def against(p, q):
    """Return a probability under both policies, its log-ratio, and its part of the KL; what is infinite is left out."""
    found = {"p": p, "q": q}
    return found | {"log_ratio": log(p / q), "share": p * log(p / q)} if p else found | {"share": mpf(0)}


def with_kl_to_uniform(nats):
    """Return [x, 1 - x], x >= 1/2, whose KL to the uniform distribution is nats."""
    if nats == 0:
        return two(mpf(1) / 2)
    if nats >= log(2):
        return two(mpf(1))
    half = mpf(1) / 2
    span = (half + mpf(10) ** -20, 1 - mpf(10) ** -40)
    return two(
        findroot(lambda x: kl([x, 1 - x], [half, half]) - nats, span, solver="anderson", tol=mpf(10) ** -60)
    )


def cost(vocabulary, length, batch):
    """Return V^T, the passes of an enumeration by the geometric series, and those of a batch."""
    passes = length if vocabulary == 1 else mpf(vocabulary**length - 1) / (vocabulary - 1)
    return {
        "length": length,
        "trajectories": mpf(vocabulary) ** length,
        "enumerated": passes,
        "sampled": batch * length,
    }
