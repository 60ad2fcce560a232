"""The mean log-ratio of a group of n samples: its exact distribution, enumerated and never simulated.

Two paths: of n independent samples from p, k take path 1 with the binomial probability C(n, k) p^k (1 - p)^(n - k);
the mean log-ratio is then (k l_1 + (n - k) l_2) / n with l = log(p / q).
"""

from math import sqrt

from .divergence import log_ratio
from .matrices import added
from .rounding import settled_sum

TIE = 2.0**-51  # per sample: a few times the error of a log-ratio near 0


def binomials(n):
    """Return C(n, 0) ... C(n, n) as exact whole numbers."""
    row = [1]
    for k in range(n):
        row.append(row[-1] * (n - k) // (k + 1))
    return row


def outcomes(p, q, n):
    """Return, for k = 0 ... n, how often path 1 was sampled, the mean log-ratio, its sign, and its probability.

    p, q: probabilities [2]. An outcome that cannot happen (p is 0 or 1) is left out.
    """
    found = []
    for k, ways in enumerate(binomials(n)):
        probability = ways * p[0] ** k * p[1] ** (n - k)
        if probability > 0:
            parts = [count * log_ratio(*pair) for count, pair in zip((k, n - k), zip(p, q)) if count]
            total = settled_sum(parts)
            mean = 0.0 if abs(total) < n * TIE else total / n
            sign = (mean > 0) - (mean < 0)
            found.append({"count": k, "mean": mean, "sign": sign, "probability": probability})
    return found


def group_mean(p, q, n):
    """Return n, the outcomes, and mean, standard deviation and probability of being negative of the mean log-ratio.

    The mean is KL(p || q) for every n; the deviation is undefined where that is infinite.
    """
    found = outcomes(p, q, n)
    mean = added([item["probability"] * item["mean"] for item in found])
    variance = added([item["probability"] * (item["mean"] - mean) ** 2 for item in found])
    return {
        "n": n,
        "outcomes": found,
        "mean": mean,
        "deviation": sqrt(variance),
        "negative": added([item["probability"] for item in found if item["mean"] < 0]),
    }
