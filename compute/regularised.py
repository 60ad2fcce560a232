"""The regularised objective E_p[R] - beta KL(p || q), and the distribution that maximises it.

p, q [Y] probabilities, rewards [Y], beta >= 0 in units of reward per nat.
"""

from math import exp, log

from .divergence import kl
from .matrices import added


def mean_reward(p, rewards):
    """Return E_p[R]. [Y], [Y] -> reward."""
    return added([p_y * reward for p_y, reward in zip(p, rewards)])


def penalty(beta, nats):
    """Return beta * nats; 0 for beta = 0 even where the nats are infinite: pure reward knows no reference."""
    return 0.0 if beta == 0 else beta * nats


def objective(p, q, rewards, beta):
    """Return E_p[R] - beta KL(p || q), in units of reward; -infinite where the KL is infinite and beta > 0."""
    return mean_reward(p, rewards) - penalty(beta, kl(p, q))


def tilted(q, rewards, beta):
    """Return the optimum over all distributions: q exp(R / beta), normalised. [Y], [Y] -> [Y].

    Of the paths with the best reward, for beta = 0 where every distribution over them is an optimum: q restricted
    to them (the limit of beta to 0), or equal shares where q has none of them.
    Source: Rafailov et al. (2023), equation 4.
    """
    if beta == 0:
        best = max(rewards)
        weights = [q_y if reward == best else 0.0 for q_y, reward in zip(q, rewards)]
        if added(weights) == 0:
            weights = [1.0 if reward == best else 0.0 for reward in rewards]
    else:
        best = max([reward for q_y, reward in zip(q, rewards) if q_y > 0])
        # differences of rewards, so that a tiny beta leads to -inf and weight 0, never to inf - inf
        logs = [log(q_y) + (reward - best) / beta if q_y > 0 else None for q_y, reward in zip(q, rewards)]
        largest = max([value for value in logs if value is not None])
        weights = [0.0 if value is None else exp(value - largest) for value in logs]
    total = added(weights)
    return [weight / total for weight in weights]
