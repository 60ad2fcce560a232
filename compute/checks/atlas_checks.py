"""The atlas's checks once more, run on every path as naive PyTorch writes it, see autograd.py.

A check is said again here, with autograd's losses, gradients and policies; only what it chooses (how many updates,
what it allows, which part of a large configuration) is the core's.
"""

import torch

from ..atlas.fault_atlas import checked_part
from ..atlas.path_checks import ALLOWED, ALLOWED_SLOPE, LATER, MOST_PLACES, SMALL_STEP
from .autograd import Update, tensor
from .path_results import central_difference, first_difference, held, loss_of, run

SLOPES = ("differences", "differences-held", "gradient")


def checks_by_autograd(setup, settings, paths):
    """Return what every check sees of every path, when the path first differs, and how many each check finds."""
    part, chosen = checked_part(setup, settings)
    seen = {path: checks_of(part, chosen | {"path": path}) for path in paths}
    found = {
        path: {
            "first": first_difference(setup, settings | {"path": path}),
            "checks": {name: {"error": error} for name, (_, error) in checks.items()},
        }
        for path, checks in seen.items()
    }
    return {"paths": found, "lesson": lesson(list(seen.values()))}


def lesson(seen):
    """Return how many paths there are, how many each check finds, and how many no finite difference does."""
    by_differences = [checks["differences"][0] or checks["differences-held"][0] for checks in seen]
    return {
        "paths": len(seen),
        "found": {name: sum(bool(checks[name][0]) for checks in seen) for name in seen[0]},
        "pass_differences": by_differences.count(False),
    }


def checks_of(setup, settings):
    """Return name -> (cries, error) of every check of one path."""
    first, later = looks = look_at(setup, settings)
    errors = {
        "differences": largest(slope_error(loss_of(update), now) for update, now in looks),
        "differences-held": largest(
            slope_error(loss_of(held(setup, settings, now)), now) for _, now in looks
        ),
        "value": largest(value_error(setup, settings, now) for _, now in looks),
        "gradient": largest(slope_error(loss_of(declared(setup, settings)), now) for _, now in looks),
        "mask": apart(setup, settings, elsewhere_where_nothing_counts(setup, settings["keep"])),
        "padding": apart(setup, settings, padded_once_more(setup)),
        "digest": largest_of(constants(*first) - constants(*later)),
        "ratio-starts": distance_from_one(setup, settings, 0),
        "ratio-moves": distance_from_one(setup, settings, LATER),
        "weights-sum": weights_error(first[0]),
        "weights-each": largest_of(first[0].weight - first[0].declared_weight),
        "reward-shift": apart(setup, settings, setup, rewards=(first[0].rewards + 1).tolist()),
        "rest": rest(setup, settings),
        "pull": pull(setup, settings),
        "ascent": ascent(setup, settings),
        "corners": largest(corner_errors(settings)),
    }
    return {name: (cries(name, error, setup, settings), error) for name, error in errors.items()}


def cries(name, error, setup, settings):
    """Tell whether a check calls what it saw a mistake."""
    if name == "digest":
        return error != 0
    if name == "ratio-moves":
        return not error > ALLOWED and moves(setup, settings)
    if name == "pull":
        return not error < 0 and away_from_reference(setup, settings)
    if name == "ascent":
        return not error > 0 and bool(declared(setup, settings).advantage.any())
    return not error <= (ALLOWED_SLOPE if name in SLOPES else ALLOWED)


def largest(values):
    """Return the largest, undefined where one is."""
    return torch.tensor([float(value) for value in values], dtype=torch.float64).max().item()


def largest_of(differences):
    """Return the largest size in a table."""
    return differences.abs().max().item()


def look_at(setup, settings):
    """Return (update, evaluation) before the first update and after some."""
    update, evaluations = run(setup, settings, LATER)
    return [(update, evaluations[0]), (update, evaluations[-1])]


def declared(setup, settings, **changes):
    """Return the declared objective."""
    return Update(setup, settings | changes | {"path": "correct"})


def slope_error(loss, now):
    """Return how far central differences of a loss are from a gradient, relative to its largest entry or to 1."""
    parameters, gradient = now["parameters"], now["gradient"].reshape(-1)
    size, count = max(1.0, largest_of(gradient)), min(len(gradient), MOST_PLACES)
    places = [n * len(gradient) // count for n in range(count)]
    return largest(abs(central_difference(loss, parameters, at) - gradient[at]) / size for at in places)


def value_error(setup, settings, now):
    """Return how far the loss is from the declared one."""
    other = declared(setup, settings).evaluate(now["parameters"])["loss"]
    return abs(now["loss"] - other) / max(1.0, abs(other))


def apart(setup, settings, other_setup, **changes):
    """Return how far loss and gradient of the first update differ between two cases."""
    mine, its = [
        Update(s, chosen).evaluate(tensor(s["initial"]))
        for s, chosen in ((setup, settings), (other_setup, settings | changes))
    ]
    return max(abs(mine["loss"] - its["loss"]), largest_of(mine["gradient"] - its["gradient"]))


def elsewhere_where_nothing_counts(setup, keep):
    """Return a setup with other features and actions wherever a position does not count."""
    responses = []
    for response in setup["responses"]:
        counts = [t < keep and bool(inside) for t, inside in enumerate(response["mask"])]
        features, actions = response["features"], response["actions"]
        responses.append(
            response
            | {
                "features": [x if c else [e + 1.5 for e in x] for x, c in zip(features, counts)],
                "actions": [action if c else 0 for action, c in zip(actions, counts)],
            }
        )
    around = {name: [x + 1.0 for x in setup[name]] for name in ("prompt", "padding")}
    return setup | around | {"responses": responses}


def padded_once_more(setup):
    """Return a setup whose responses all end with one more masked position."""
    more = {"features": setup["padding"], "actions": 0, "mask": 0}
    return setup | {
        "responses": [{name: [*each[name], more[name]] for name in more} for each in setup["responses"]]
    }


def constants(update, now):
    """Return the old and the reference log-probabilities that an update uses."""
    log_probs = torch.log_softmax(update.features @ now["parameters"], -1)
    return torch.cat([update.old_of(log_probs).detach(), update.reference_of(log_probs).detach()])


def distance_from_one(setup, settings, count):
    """Return the largest |rho - 1| after so many updates from the behaviour policy."""
    update, evaluations = run(from_behaviour(setup), settings, count)
    log_probs = torch.log_softmax(update.features @ evaluations[-1]["parameters"], -1)
    ratio = update.surrogate(log_probs, update.counted)[0]
    return max([0.0, *(ratio.detach() - 1).abs().tolist()])


def from_behaviour(setup):
    """Return a setup whose initial policy is the behaviour policy."""
    return setup | {"initial": setup["behaviour"]}


def moves(setup, settings):
    """Tell whether updates from the behaviour policy move the parameters."""
    _, evaluations = run(from_behaviour(setup), settings, LATER)
    return not torch.equal(evaluations[0]["parameters"], evaluations[-1]["parameters"])


def weights_error(update):
    """Return how far the weights' sum is from 1, where any position counts."""
    return abs(update.weight.sum().item() - 1.0) if update.weight.any() else 0.0


def rest(setup, settings):
    """Return the largest gradient entry at the reference, with equal rewards."""
    start = setup | {"reference": setup["initial"]}
    update = Update(start, settings | equal(setup))
    return largest_of(update.evaluate(tensor(setup["initial"]))["gradient"])


def equal(setup):
    """Return settings under which only the KL pulls."""
    return {"rewards": [0.0] * len(setup["responses"]), "beta": 1.0}


def pull(setup, settings):
    """Return the change of the exact KL in a small update, per learning rate, where only the KL pulls."""
    _, (before, after) = run(setup, settings | equal(setup) | {"learning_rate": SMALL_STEP}, 1)
    return (after["kl_exact"] - before["kl_exact"]).item() / SMALL_STEP


def away_from_reference(setup, settings):
    """Tell whether the initial policy is not the reference, by the exact KL."""
    return declared(setup, settings).evaluate(tensor(setup["initial"]))["kl"].item() > ALLOWED


def ascent(setup, settings):
    """Return the change of the sum of w A log p in a small update, per learning rate, without KL."""
    meter = declared(setup, settings)
    _, evaluations = run(setup, settings | {"beta": 0.0, "learning_rate": SMALL_STEP}, 1)
    before, after = [
        meter.taken(torch.log_softmax(meter.features @ now["parameters"], -1), meter.valid)
        for now in evaluations
    ]
    weighted = meter.weight[meter.valid] * meter.advantage[meter.valid]
    return (weighted * (after - before)).sum().item() / SMALL_STEP


def corner_errors(settings):
    """Yield how far the loss of two answers, A = 1 and A = -1, is from the rule, with ratios beyond either bound."""
    epsilon = settings["clip_epsilon"]
    chosen = settings | {"rewards": [1, 0], "beta": 0.0, "keep": 1}
    beyond = (0.5 * (1 - epsilon), 1.25 * (1 + epsilon))
    for up in beyond:
        for down in beyond:
            rule = -min(up, 1 + epsilon) / 2 + max(down, 1 - epsilon) / 2
            setup = two_answers(up, down)
            yield abs(Update(setup, chosen).evaluate(tensor(setup["initial"]))["loss"] - rule)


def two_answers(up, down):
    """Return two answers of one token, each with a feature of its own, whose ratios are these."""
    now = min(up, down, 1.5) / 2

    def row(p):
        return [torch.logit(tensor(p)).item(), 0.0]

    zero = [0.0, 0.0]
    return {
        "initial": [row(now), row(now)],
        "behaviour": [row(now / up), row(now / down)],
        "reference": [zero, zero],
        "prompt": zero,
        "padding": zero,
        "responses": [{"features": [x], "actions": [0], "mask": [1]} for x in ([1.0, 0.0], [0.0, 1.0])],
    }
