"""One update of the parameters: loss and gradient over the batch, W' = W - eta * gradient, and so on, K times."""

from collections import namedtuple

from .matrices import add_outer, outer, zeros_like
from .objective import Term, ratio, surrogate_gradient
from .paths import PATHS
from .policy import log_softmax, logits, probabilities
from .rollout import group_advantages
from .rounding import without_residue

# What stays constant while the parameters move. Lists run over positions [P] unless said otherwise.
# old_log_probs, reference_log_probs: None where a wrong path takes the current policy's own instead.
Batch = namedtuple(
    "Batch",
    "path positions rewards advantages weights old_log_probs reference_log_probs "
    "beta clip_epsilon learning_rate",
)

Evaluation = namedtuple("Evaluation", "parameters loss kl clipped outside counted gradient next_parameters")


def prepare(setup, settings):
    """Return the Batch: everything that the gradient treats as constant.

    settings: normalization, keep, beta, clip_epsilon, learning_rate, rewards (a set's name or a list),
    path. On the correct path old log-probabilities come from the behaviour parameters, reference ones from the
    reference.
    """
    path = PATHS[settings["path"]]
    rewards = settings["rewards"]
    if isinstance(rewards, str):
        rewards = setup["rewards"][rewards]
    positions = path.layout(setup, settings["keep"])
    return Batch(
        path,
        positions,
        rewards,
        group_advantages(rewards, path.group),
        path.weights(positions, settings["normalization"]),
        [path.old(setup, position.features) for position in positions],
        [path.reference(setup, position.features) for position in positions],
        path.kl_sign * settings["beta"],
        settings["clip_epsilon"],
        settings["learning_rate"],
    )


def evaluate_position(batch, k, parameters):
    """Return the Term of position k: everything of sections 01 and 02 for one position."""
    path, position = batch.path, batch.positions[k]
    action = position.action
    z = logits(position.features, parameters)
    log_probs = log_softmax(z)
    probs = probabilities(log_probs)
    divergence = path.divergence(log_probs, batch.reference_log_probs[k] or log_probs, probs, action)
    weight = batch.weights[k]
    if action is None:
        zeros = [0.0] * len(z)
        return Term(z, log_probs, probs, divergence, None, None, None, None, zeros, zeros)
    log_prob_old = (batch.old_log_probs[k] or log_probs)[action]
    rho = ratio(log_probs[action], log_prob_old)
    surrogate = path.surrogate(rho, batch.advantages[position.response], batch.clip_epsilon)
    slope = path.policy_sign * surrogate.slope
    policy_gradient = surrogate_gradient(slope, rho, action, probs, log_probs, log_prob_old)
    if weight:
        beta = batch.beta
        dlogits = [weight * (g + beta * h) for g, h in zip(policy_gradient, divergence.gradient)]
    else:
        dlogits = [0.0] * len(z)
    return Term(
        z,
        log_probs,
        probs,
        divergence,
        log_prob_old,
        log_probs[action],
        rho,
        surrogate,
        policy_gradient,
        dlogits,
    )


def evaluate_positions(batch, parameters):
    """Return the Term of every position, those without a weight included. -> [P]."""
    terms = [evaluate_position(batch, k, parameters) for k in range(len(batch.positions))]
    return batch.path.coupling(batch, terms) if batch.path.coupling else terms


def sum_of_shares(batch, terms):
    """Return the sum over all positions of their shares of the gradient, x^T dL/dz. terms [P] -> [d][V]."""
    total = zeros_like(outer(batch.positions[0].features, terms[0].dlogits))
    for position, term in zip(batch.positions, terms):
        add_outer(total, position.features, term.dlogits)
    return total


def loss_share(batch, k, term):
    """Return w (-u + beta KL) of position k; 0 where the position does not count."""
    if not batch.weights[k]:
        return 0.0
    gain = batch.path.policy_sign * term.surrogate.value
    return batch.weights[k] * (batch.beta * term.divergence.value - gain)


def evaluate(batch, parameters):
    """Return loss, weighted KL, clip counts, gradient and next parameters, from the positions that count.

    parameters [d][V]. `clipped`: positions whose gradient a bound cuts; `outside`: |rho - 1| > eps whatever
    the sign. When no position counts the update is skipped: everything is 0 and the parameters stay.
    """
    sign = batch.path.policy_sign
    coupled = evaluate_positions(batch, parameters) if batch.path.coupling else None
    gradient = zeros_like(parameters)
    loss = size = kl = 0.0
    clipped = outside = counted = 0
    for k, weight in enumerate(batch.weights):
        if not weight:
            continue
        term = coupled[k] if coupled else evaluate_position(batch, k, parameters)
        penalty, surrogate = batch.beta * term.divergence.value, term.surrogate
        counted += 1
        loss += weight * (penalty - sign * surrogate.value)
        size += weight * (abs(penalty) + abs(surrogate.value))
        kl += weight * term.divergence.value
        clipped += surrogate.is_clipped
        outside += is_outside(term.ratio, batch.clip_epsilon)
        add_outer(gradient, batch.positions[k].features, term.dlogits)
    following = [
        [w - batch.learning_rate * g for w, g in zip(row, slopes)] if counted else list(row)
        for row, slopes in zip(parameters, gradient)
    ]
    loss = without_residue(loss, size)
    return Evaluation(parameters, loss, kl, clipped, outside, counted, gradient, following)


def held(batch, parameters):
    """Return the batch with the old and reference policies that are recomputed held at these parameters."""
    now = [log_softmax(logits(position.features, parameters)) for position in batch.positions]
    return Batch(
        batch.path,
        batch.positions,
        batch.rewards,
        batch.advantages,
        batch.weights,
        [fixed or current for fixed, current in zip(batch.old_log_probs, now)],
        [fixed or current for fixed, current in zip(batch.reference_log_probs, now)],
        batch.beta,
        batch.clip_epsilon,
        batch.learning_rate,
    )


def is_outside(rho, clip_epsilon):
    """Tell whether the ratio lies outside [1 - eps, 1 + eps], with the same bounds that clip it."""
    return rho < 1.0 - clip_epsilon or rho > 1.0 + clip_epsilon


def trajectory(batch, initial, count):
    """Return `count` evaluations: at the initial parameters, after one update, after two, and so on."""
    evaluations = []
    parameters = initial
    for _ in range(count):
        evaluations.append(evaluate(batch, parameters))
        parameters = evaluations[-1].next_parameters
    return evaluations
