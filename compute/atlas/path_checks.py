"""Which check finds which mistake: every check is run on every path, and says what it saw.

A check sees a path as a trainer's test would see a trainer: it calls it, on batches of its own making. It returns
whether it cries, and the number that made it (the largest error, or the change that went the wrong way).
"""

import json
from collections import namedtuple
from math import log

from ..evidence import SMALLEST_SHARE, STEP
from ..matrices import added, largest, largest_difference
from ..paths import PATHS
from ..plain import plain
from ..update import evaluate, evaluate_positions, held, prepare, trajectory
from .declared import declared_loss, declared_weights_by_place, rewards_of

LATER = 10  # updates before the second look: at first every ratio is 1 and nothing is clipped
ALLOWED = 1e-9
MOST_PLACES = 6  # entries that a finite difference moves: as many as the shipped policy has
ALLOWED_SLOPE = 1e-6  # of a finite difference, relative to the largest entry or to 1
SMALL_STEP = 1e-4  # the learning rate where a check asks which way an update goes

# known: what several checks look at, computed once.
Case = namedtuple("Case", "setup settings known")


def run(case, count=LATER, **changes):
    """Return the batch and its evaluations before updates 1 ... count + 1, under changed settings."""
    batch = prepare(case.setup, changed(case.settings, **changes))
    return batch, trajectory(batch, case.setup["initial"], count + 1)


def case_of(setup, settings):
    """Return a case about which nothing is known yet."""
    return Case(setup, settings, {})


def looks(case):
    """Return the batch with its evaluation before the first update, and with a later one."""
    if "looks" not in case.known:
        batch, evaluations = run(case)
        case.known["looks"] = [(batch, evaluations[0]), (batch, evaluations[-1])]
    return case.known["looks"]


def changed(given, **parts):
    """Return a setup or settings with some parts replaced."""
    found = dict(given)
    found.update(parts)
    return found


def beyond(error, allowed):
    """Return (cries, error): an undefined error cries too."""
    return not error <= allowed, error


def places(parameters):
    """Return the entries [j, v] that are moved: all of them if they are few, else some, evenly spread."""
    every = [(j, v) for j, row in enumerate(parameters) for v in range(len(row))]
    count = min(len(every), MOST_PLACES)
    return [every[n * len(every) // count] for n in range(count)]


def slope_error(loss, now):
    """Return how far the central differences of a loss are from the gradient, relative to its largest entry or to 1.

    loss: parameters [d][V] -> number; now: an evaluation.
    """
    size = max([1.0] + [abs(g) for row in now.gradient for g in row])
    errors = []
    for j, v in places(now.parameters):
        step = max(STEP, abs(now.parameters[j][v]) * SMALLEST_SHARE)
        sides = []
        for move in (step, -step):
            moved = [list(values) for values in now.parameters]
            moved[j][v] += move
            sides.append((loss(moved), moved[j][v]))
        (above, right), (below, left) = sides
        errors.append(abs((above - below) / (right - left) - now.gradient[j][v]) / size)
    return largest(errors)


def differences(case):
    """Differentiate the path's own loss numerically, everything recomputed, against its own gradient."""
    errors = [
        slope_error(lambda moved, batch=batch: evaluate(batch, moved).loss, now) for batch, now in looks(case)
    ]
    return beyond(largest(errors), ALLOWED_SLOPE)


def differences_held(case):
    """The same with the old and the reference policy held still while the parameters move."""
    errors = []
    for batch, now in looks(case):
        still = held(batch, now.parameters)
        errors.append(slope_error(lambda moved, still=still: evaluate(still, moved).loss, now))
    return beyond(largest(errors), ALLOWED_SLOPE)


def value(case):
    """Compare the loss with the declared objective's, computed from its definition."""
    errors = []
    for _, now in looks(case):
        declared = declared_loss(case.setup, case.settings, now.parameters)
        errors.append(abs(now.loss - declared) / max(1.0, abs(declared)))
    return beyond(largest(errors), ALLOWED)


def gradient(case):
    """Differentiate the declared objective numerically, against the path's gradient."""
    errors = [
        slope_error(lambda moved: declared_loss(case.setup, case.settings, moved), now)
        for _, now in looks(case)
    ]
    return beyond(largest(errors), ALLOWED_SLOPE)


def apart(case, other):
    """Return how far loss and gradient of the first update differ between two cases."""
    mine, its = [evaluate(prepare(c.setup, c.settings), c.setup["initial"]) for c in (case, other)]
    return largest([abs(mine.loss - its.loss), largest_difference(mine.gradient, its.gradient)])


def mask(case):
    """Change features and actions wherever a position must not count: nothing may follow."""
    keep, responses = case.settings["keep"], []
    for response in case.setup["responses"]:
        outside = [t >= keep or not inside for t, inside in enumerate(response["mask"])]
        responses.append(
            {
                "features": [
                    [x + 1.5 for x in features] if out else features
                    for features, out in zip(response["features"], outside)
                ],
                "actions": [0 if out else action for action, out in zip(response["actions"], outside)],
                "mask": response["mask"],
            }
        )
    prompt, padding = [[x + 1.0 for x in case.setup[name]] for name in ("prompt", "padding")]
    other = changed(case.setup, responses=responses, prompt=prompt, padding=padding)
    return beyond(apart(case, case_of(other, case.settings)), ALLOWED)


def padding(case):
    """Pad every response by one more position: nothing may follow."""
    responses = [
        {
            "features": response["features"] + [case.setup["padding"]],
            "actions": response["actions"] + [0],
            "mask": response["mask"] + [0],
        }
        for response in case.setup["responses"]
    ]
    return beyond(apart(case, case_of(changed(case.setup, responses=responses), case.settings)), ALLOWED)


def digest(case):
    """Digest the old and the reference log-probabilities that an update uses, before and after updates."""
    used = []
    for batch, evaluation in looks(case):
        now = held(batch, evaluation.parameters)
        used.append(now.old_log_probs + now.reference_log_probs)
    before, after = [fingerprint(json.dumps(table)) for table in used]
    return before != after, largest_difference(used[0], used[1])


def fingerprint(text):
    """Return a number that changes with any byte of a text: its bytes as a polynomial, modulo a prime."""
    return int.from_bytes(text.encode(), "big") % (2**61 - 1)


def distance_from_one(case, count):
    """Return the largest |rho - 1| after so many updates from the behaviour policy, and whether it moved."""
    start = case_of(changed(case.setup, initial=case.setup["behaviour"]), case.settings)
    batch, evaluations = run(start, count)
    terms = evaluate_positions(batch, evaluations[-1].parameters)
    distances = [abs(term.ratio - 1.0) for term, weight in zip(terms, batch.weights) if weight]
    return max([0.0] + distances), evaluations[-1].parameters != evaluations[0].parameters


def ratio_starts(case):
    """Before the first update the policy is the behaviour policy: every ratio must be 1."""
    return beyond(distance_from_one(case, 0)[0], ALLOWED)


def ratio_moves(case):
    """After updates some ratio must have left 1."""
    distance, moved = distance_from_one(case, LATER)
    return moved and distance <= ALLOWED, distance


def weights_sum(case):
    """The weights must sum to 1, where any position counts."""
    batch = prepare(case.setup, case.settings)
    total = added(batch.weights)
    return beyond(abs(total - 1.0) if total else 0.0, ALLOWED)


def weights_each(case):
    """Each position must weigh what the normalization declares."""
    batch, declared = prepare(case.setup, case.settings), declared_weights_by_place(case.setup, case.settings)
    errors = [
        abs(weight - declared.get((position.response, position.position), 0.0))
        for position, weight in zip(batch.positions, batch.weights)
    ]
    return beyond(largest(errors), ALLOWED)


def reward_shift(case):
    """Add 1 to every reward: advantages are relative to the group, so that nothing may follow."""
    shifted = [reward + 1 for reward in rewards_of(case.setup, case.settings)]
    return beyond(apart(case, case_of(case.setup, changed(case.settings, rewards=shifted))), ALLOWED)


def rest(case):
    """Start at the reference with equal rewards: there is nothing to gain and nothing to pull."""
    start = case_of(changed(case.setup, reference=case.setup["initial"]), case.settings)
    _, evaluations = run(start, 0, rewards=[0.0] * len(case.setup["responses"]), beta=1.0)
    return beyond(largest([abs(g) for row in evaluations[0].gradient for g in row]), ALLOWED)


def pull(case):
    """Equal rewards and beta 1: a small update must lower the exact KL. The number: its change, per learning rate."""
    equal = [0.0] * len(case.setup["responses"])
    _, evaluations = run(case, 1, rewards=equal, beta=1.0, learning_rate=SMALL_STEP)
    meter = prepare(case.setup, changed(case.settings, path="correct", rewards=equal))
    before, after = [evaluate(meter, evaluation.parameters).kl for evaluation in evaluations]
    return before > ALLOWED and not after < before, (after - before) / SMALL_STEP


def ascent(case):
    """Let beta be 0: a small update must raise the sum of w A log p. The number: its change, per learning rate."""
    _, evaluations = run(case, 1, beta=0.0, learning_rate=SMALL_STEP)
    meter = prepare(case.setup, changed(case.settings, path="correct"))
    sums = []
    for evaluation in evaluations:
        terms = evaluate_positions(meter, evaluation.parameters)
        sums.append(
            added(
                [
                    weight * meter.advantages[position.response] * term.log_prob
                    for position, weight, term in zip(meter.positions, meter.weights, terms)
                    if weight
                ]
            )
        )
    return any(meter.advantages) and not sums[1] > sums[0], (sums[1] - sums[0]) / SMALL_STEP


def corners(case):
    """Two answers of one token, A = 1 and A = -1, ratios beyond either bound: the loss must be what the rule says."""
    eps = case.settings["clip_epsilon"]
    settings = changed(case.settings, rewards=[1, 0], beta=0.0, keep=1)
    ratios = (0.5 * (1.0 - eps), 1.25 * (1.0 + eps))
    errors = []
    for up in ratios:
        for down in ratios:
            expected = (max(down, 1.0 - eps) - min(up, 1.0 + eps)) / 2
            setup = two_answers(up, down)
            errors.append(abs(evaluate(prepare(setup, settings), setup["initial"]).loss - expected))
    return beyond(largest(errors), ALLOWED)


def two_answers(up, down):
    """Return a setup of two answers of one token, each with a feature of its own, whose ratios are these."""
    # p(a) of both answers, below 1 for wide intervals too; p_old(a) = p(a) / rho.
    now = min(up, down, 1.5) / 2
    old = [logits_of(now / rho) for rho in (up, down)]
    return {
        "initial": [logits_of(now), logits_of(now)],
        "behaviour": old,
        "reference": [[0.0, 0.0], [0.0, 0.0]],
        "steps": 0,
        "prompt": [0.0, 0.0],
        "padding": [0.0, 0.0],
        "responses": [
            {"features": [features], "actions": [0], "mask": [1]} for features in ([1.0, 0.0], [0.0, 1.0])
        ],
        "rewards": {},
    }


def logits_of(p):
    """Return two logits under which the first action has probability p."""
    return [log(p / (1.0 - p)), 0.0]


CHECKS = {
    "differences": differences,
    "differences-held": differences_held,
    "value": value,
    "gradient": gradient,
    "mask": mask,
    "padding": padding,
    "digest": digest,
    "ratio-starts": ratio_starts,
    "ratio-moves": ratio_moves,
    "weights-sum": weights_sum,
    "weights-each": weights_each,
    "reward-shift": reward_shift,
    "rest": rest,
    "pull": pull,
    "ascent": ascent,
    "corners": corners,
}


def path_checks(setup, settings, keeps, betas):
    """Return what every check sees of every path, under these settings and in the worst case among others.

    The worst case: any normalization, any of keeps, any of betas; where the check cries, else the largest error.
    None where nothing is listed. -> path -> check -> caught, error, worst: caught, error, normalization, keep, beta.
    """
    grid = [(n, k, b) for n in ("token", "response") for k in keeps for b in betas]
    return plain({path: checks_of(setup, changed(settings, path=path), grid) for path in PATHS})


def checks_of(setup, settings, grid):
    """Return what every check sees of one path, here and in the worst case of (normalization, keep, beta)."""
    found = {}
    case = case_of(setup, settings)
    for name, check in CHECKS.items():
        caught, error = check(case)
        found[name] = {"caught": caught, "error": error, "worst": None}
    for normalization, keep, beta in grid:
        case = case_of(setup, changed(settings, normalization=normalization, keep=keep, beta=beta))
        for name, check in CHECKS.items():
            caught, error = check(case)
            worst = found[name]["worst"]
            if worst is None or (caught, abs(error)) > (worst["caught"], abs(worst["error"])):
                found[name]["worst"] = {
                    "caught": caught,
                    "error": error,
                    "normalization": normalization,
                    "keep": keep,
                    "beta": beta,
                }
    return found
