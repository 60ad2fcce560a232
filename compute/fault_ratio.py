"""A wrong ratio: one for the whole response, the product of its tokens' ratios."""

from .objective import Term, exp_or_infinity, surrogate_gradient


def one_ratio_per_response(batch, terms):
    """Return the terms with rho_i = exp(sum over valid t of (log p - log p_old)) at every token of response i.

    Each position's u depends on the logits of all valid positions of its response: policy_gradient is the
    derivative of all of them together in this position's logits. They weigh alike, so that its own weight serves.
    """
    log_ratios, counts = {}, {}
    for position, weight, term in zip(batch.positions, batch.weights, terms):
        if weight:
            i = position.response
            log_ratios[i] = log_ratios.get(i, 0.0) + (term.log_prob - term.log_prob_old)
            counts[i] = counts.get(i, 0) + 1
    return [
        term
        if term.ratio is None
        else with_ratio(
            batch, k, term, log_ratios.get(position.response, 0.0), counts.get(position.response, 0)
        )
        for k, (position, term) in enumerate(zip(batch.positions, terms))
    ]


def with_ratio(batch, k, term, log_rho, count):
    """Return the term of position k with this ratio instead, shared by `count` valid positions."""
    position, weight = batch.positions[k], batch.weights[k]
    rho = exp_or_infinity(log_rho)
    surrogate = batch.path.surrogate(rho, batch.advantages[position.response], batch.clip_epsilon)
    slope = count * surrogate.slope if weight else 0.0
    policy_gradient = surrogate_gradient(
        slope, rho, position.action, term.probs, term.log_probs, term.log_prob - log_rho
    )
    dlogits = term.dlogits
    if weight:
        dlogits = [weight * (g + batch.beta * h) for g, h in zip(policy_gradient, term.divergence.gradient)]
    return Term(
        term.logits,
        term.log_probs,
        term.probs,
        term.divergence,
        term.log_prob_old,
        term.log_prob,
        rho,
        surrogate,
        policy_gradient,
        dlogits,
    )
