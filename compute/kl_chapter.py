"""Every number of the chapter "Reference policy, KL and clipping" at one state, as one plain object.

setup: group_sizes, cases (ratio and advantage of each), longest and batch of the cost table.
settings: p, q (of path 1), rewards [2], beta; n; ratio, advantage, clip_epsilon; token_ratio, length;
tree_p, tree_q (of the first action 1), tree_kl [2]; vocabulary.
"""

from .chain_rule import binary_with_kl, chain_rule, direct_kl, trajectories
from .clip_map import clip_point, regions
from .divergence import INFINITY, kl, kl_share, log_ratio
from .enumeration import enumeration
from .plain import plain
from .regularised import mean_reward, objective, penalty, tilted
from .return_gradient import return_gradient
from .sampled_kl import group_mean
from .token_ratios import equal_ratios

PAGE = "kl-and-clipping"  # the first part of every number's id
CURVE_STEPS = 50  # of p from 0 to 1


def chapter(setup, settings):
    """Return the chapter's numbers under its name. Infinite and undefined values are words, see plain.py."""
    p, q = pair(settings["p"]), pair(settings["q"])
    rewards, beta = settings["rewards"], settings["beta"]
    found = two_paths(p, q, rewards, beta)
    found["settings"] = settings
    found["curve"] = objective_curve(q, rewards, beta)
    found["gradient"] = return_gradient(p, q, rewards, beta)
    found["groups"] = [without(group_mean(p, q, n), "outcomes") for n in setup["group_sizes"]]
    found["group"] = group_mean(p, q, settings["n"])
    found["clip"] = clip_results(setup["cases"], settings)
    found["tokens"] = equal_ratios(settings["token_ratio"], settings["length"], settings["clip_epsilon"])
    found["tree"] = tree(pair(settings["tree_p"]), pair(settings["tree_q"]), settings["tree_kl"])
    lengths = list(range(1, setup["longest"] + 1))
    found["cost"] = enumeration(settings["vocabulary"], lengths, setup["batch"])
    found["batch"] = setup["batch"]
    return plain({PAGE: found})


def pair(first):
    """Return the distribution over two paths whose first has this probability."""
    return [first, 1.0 - first]


def without(table, name):
    """Return a table without one entry."""
    return {key: value for key, value in table.items() if key != name}


def two_paths(p, q, rewards, beta):
    """Return each path's numbers, both divergences, and the objective of p, of q, and of the tilted optimum."""
    optimum = tilted(q, rewards, beta)
    paths = [
        {
            "p": p[y],
            "q": q[y],
            "reward": rewards[y],
            "log_ratio": log_ratio(p[y], q[y]),
            "share": kl_share(p[y], q[y]),
            "reverse_share": kl_share(q[y], p[y]),
            "optimum": optimum[y],
        }
        for y in range(2)
    ]
    return {
        "paths": paths,
        "kl": kl(p, q),
        "reverse_kl": kl(q, p),
        "is_finite": kl(p, q) < INFINITY,
        "reward": mean_reward(p, rewards),
        "penalty": penalty(beta, kl(p, q)),
        "objective": objective(p, q, rewards, beta),
        "reference_objective": objective(q, q, rewards, beta),
        "optimum": {
            "reward": mean_reward(optimum, rewards),
            "kl": kl(optimum, q),
            "objective": objective(optimum, q, rewards, beta),
        },
    }


def objective_curve(q, rewards, beta):
    """Return p from 0 to 1, and E_p[R] and the objective there."""
    ps = [k / CURVE_STEPS for k in range(CURVE_STEPS + 1)]
    return {
        "p": ps,
        "reward": [mean_reward(pair(p), rewards) for p in ps],
        "objective": [objective(pair(p), q, rewards, beta) for p in ps],
    }


def clip_results(cases, settings):
    """Return the chosen point of the clip map, the cases, the six regions, and in how many the gradient is cut."""
    epsilon = settings["clip_epsilon"]
    found = regions(epsilon)
    points = cases + [{"ratio": settings["ratio"], "advantage": settings["advantage"]}]
    return {
        "low": 1.0 - epsilon,
        "high": 1.0 + epsilon,
        "map": clip_map(points, epsilon),
        "point": clip_point(settings["ratio"], settings["advantage"], epsilon),
        "cases": [clip_point(case["ratio"], case["advantage"], epsilon) for case in cases],
        "regions": found,
        "count": len(found),
        "cut": len([1 for region in found if not region["flows"]]),
        "twin_cut": len([1 for region in found if not region["twin_flows"]]),
    }


def clip_map(points, epsilon):
    """Return the edges of a map that shows all points and the interval, and the middles of its outer regions."""
    right = max([2.0, 1.5 * (1.0 + epsilon)] + [1.25 * point["ratio"] for point in points])
    top = max([3.0] + [1.25 * abs(point["advantage"]) for point in points])
    return {
        "zero": 0.0,
        "right": right,
        "top": top,
        "bottom": -top,
        "middle_left": 0.5 * (1.0 - epsilon),
        "middle_right": 0.5 * (1.0 + epsilon + right),
        "upper": 0.85 * top,
        "lower": -0.85 * top,
    }


def tree(first_p, first_q, second_kl):
    """Return the chain rule on a tree whose second steps are the two-action distributions with these KLs to uniform."""
    uniform = [0.5, 0.5]
    second_p = [binary_with_kl(nats) for nats in second_kl]
    second_q = [uniform] * len(second_p)
    found = chain_rule(first_p, first_q, second_p, second_q)
    found["trajectories"] = trajectories(first_p, first_q, second_p, second_q)
    found["direct"] = direct_kl(found["trajectories"])
    found["steps"] = [
        {
            "p": first_p[u],
            "q": first_q[u],
            "log_ratio": log_ratio(first_p[u], first_q[u]),
            "share": kl_share(first_p[u], first_q[u]),
            "second_p": second_p[u],
            "second_q": second_q[u],
            "kl": found["second"][u],
            "weighted": part(first_p[u], found["second"][u]),
            "wrongly_weighted": part(first_q[u], found["second"][u]),
        }
        for u in range(len(first_p))
    ]
    del found["second"]
    return found


def part(weight, nats):
    """Return weight times KL; 0 where the weight is 0, even of an infinite KL."""
    return weight * nats if weight > 0 else 0.0
