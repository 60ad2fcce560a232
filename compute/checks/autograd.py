"""Check one state of the page "RL parameter update" with PyTorch's automatic differentiation, in float64.

    python autograd.py update.json

update.json is {"setup": ..., "settings": ..., "state": ...}, as the page saves it. The script stands alone: it
shares no code with the page. It redoes the updates from their start, a wrong path with its mistake, with the
gradient from autograd and the constants of the objective detached, and compares every number of the state. Exit
status 1 if one differs by more than 1e-12, relative to its size where that is above 1.
"""

import functools
import json
import sys

import torch

ALLOWED = 1e-12
NOT_RECOMPUTED = ("settings",)  # what the reader chose: input, not a result


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


def lay_out(setup, keep):
    """Every position as (response, position, kind, features, action): prompt, then 0 ... longest - 1."""
    rows = []
    width = max(len(response["actions"]) for response in setup["responses"])
    for i, response in enumerate(setup["responses"]):
        rows.append((i, -1, "prompt", setup["prompt"], None))
        for t in range(width):
            if t >= len(response["actions"]):
                rows.append((i, t, "padding", setup["padding"], None))
                continue
            kind = "token"
            if not response["mask"][t]:
                kind = "masked"
            if t >= keep:
                kind = "truncated"
            rows.append((i, t, kind, response["features"][t], response["actions"][t]))
    return rows


def group_advantages(rewards, mean, deviation):
    """(r - mean) / standard deviation; exactly 0 where that is 0."""
    return (rewards - mean) / deviation if deviation else torch.zeros_like(rewards)


def position_weights(valid, response, normalization):
    """1 / N, or 1 / (non-empty responses * the response's own valid positions); 0 where not valid."""
    weights = torch.zeros(len(valid), dtype=torch.float64)
    if not valid.any():
        return weights
    if normalization == "token":
        weights[valid] = 1 / valid.sum().double()
    elif normalization == "response":
        lengths = torch.bincount(response[valid], minlength=int(response.max()) + 1)
        weights[valid] = 1 / ((lengths > 0).sum() * lengths[response[valid]]).double()
    else:
        raise ValueError(f"unknown normalization {normalization!r}")
    return weights


class Update:
    """One batch with its constants, evaluated at any parameters. A wrong path overrides one method: see WRONG."""

    def __init__(self, setup, settings):
        for name, method in WRONG[settings["path"]].items():
            setattr(self, name, functools.partial(method, self))
        self.rows = self.fill(lay_out(setup, settings["keep"]))
        names = ("beta", "clip_epsilon", "learning_rate")
        self.beta, self.epsilon, self.learning_rate = (settings[name] for name in names)
        rewards = settings["rewards"]
        self.rewards = tensor(setup["rewards"][rewards] if isinstance(rewards, str) else rewards)
        self.response = torch.tensor([row[0] for row in self.rows])
        self.features = tensor([row[3] for row in self.rows])
        self.acted = torch.tensor([row[4] is not None for row in self.rows])
        self.valid = torch.tensor([row[2] == "token" for row in self.rows])
        self.action = torch.tensor([row[4] or 0 for row in self.rows])
        self.advantage = group_advantages(self.rewards, *self.group())[self.response]
        self.declared_weight = position_weights(self.valid, self.response, settings["normalization"])
        self.weight = self.weights(settings["normalization"])
        self.counted = self.weight != 0
        with torch.no_grad():  # old and reference policy: constants of the objective
            self.behaviour = self.features @ tensor(setup["behaviour"])
            self.reference = torch.log_softmax(self.features @ tensor(setup["reference"]), -1)

    def fill(self, rows):
        """The rows, with no action where none was taken."""
        return rows

    def group(self):
        """Mean and population standard deviation of the rewards; exactly 0 where they are equal."""
        equal = bool((self.rewards == self.rewards[0]).all())
        return self.rewards.mean(), tensor(0.0) if equal else self.rewards.std(correction=0)

    def weights(self, normalization):
        """The weight of every row."""
        return self.declared_weight

    def old_of(self, log_probs):
        """The old log-probabilities of every row."""
        return torch.log_softmax(self.behaviour, -1)

    def reference_of(self, log_probs):
        """The reference's log-probabilities of every row."""
        return self.reference

    def taken(self, log_probs, rows):
        """The log-probability of the action taken at each of these rows."""
        return log_probs[rows].gather(-1, self.action[rows, None])[:, 0]

    def log_ratio(self, log_probs, rows):
        """The logarithm of the ratio at these rows."""
        return self.taken(log_probs, rows) - self.taken(self.old_of(log_probs), rows)

    def bounded(self, ratio):
        """The ratio within the clip range."""
        return torch.clamp(ratio, 1 - self.epsilon, 1 + self.epsilon)

    def combined(self, ratio, advantage):
        """What is averaged: the smaller of the two products."""
        return torch.minimum(ratio * advantage, self.bounded(ratio) * advantage)

    def surrogate(self, log_probs, rows):
        """Ratio, its two products with the advantage, and what is averaged, at these rows."""
        ratio, advantage = torch.exp(self.log_ratio(log_probs, rows)), self.advantage[rows]
        return ratio, ratio * advantage, self.bounded(ratio) * advantage, self.combined(ratio, advantage)

    def is_clipped(self, ratio, rows):
        """Where a bound cuts the gradient: what is averaged does not move with the ratio, although A is not 0."""
        ratio = ratio.detach().requires_grad_()
        (slope,) = torch.autograd.grad(self.combined(ratio, self.advantage[rows]).sum(), ratio)
        return (slope == 0) & (self.advantage[rows] != 0)

    def exact_kl(self, log_probs):
        """KL(p || configured reference) at every row, the exact sum over the actions."""
        return (log_probs.exp() * (log_probs - self.reference)).sum(-1)

    def divergence(self, log_probs):
        """The KL figure of every row, as it enters the loss and the log; nan where there is none."""
        return (log_probs.exp() * (log_probs - self.reference_of(log_probs))).sum(-1)

    def policy_term(self, value):
        """The first term of the loss: minus what is to grow."""
        return -value

    def objective(self, policy_term, kl):
        """The loss of each row, before its weight."""
        return policy_term + self.beta * kl

    def evaluate(self, parameters):
        """Loss and gradient by autograd, and every number on the way. parameters: a plain tensor."""
        weights = parameters.clone().requires_grad_()
        logits = self.features @ weights
        log_probs = torch.log_softmax(logits, -1)
        kl = self.divergence(log_probs)
        ratio, _, _, value = self.surrogate(log_probs, counted := self.counted)
        terms = torch.zeros(len(self.rows), dtype=torch.float64)
        terms[counted] = self.weight[counted] * self.objective(self.policy_term(value), kl[counted])
        loss = terms.sum()
        gradient, dlogits = derivatives(loss, (weights, logits))
        is_clipped = self.is_clipped(ratio, counted)
        with torch.no_grad():
            size = (self.weight[counted] * (value.abs() + abs(self.beta) * kl[counted].abs())).sum()
            ulp = torch.nextafter(size, tensor(float("inf"))) - size
            return {
                "parameters": parameters,
                "next": parameters - self.learning_rate * gradient if counted.any() else parameters.clone(),
                "loss": 0.0 if loss.abs() < 4 * ulp else loss.item(),
                "kl": (self.weight[counted] * kl[counted]).sum(),
                "kl_exact": (self.declared_weight * self.exact_kl(log_probs)).sum(),
                "clipped": int(is_clipped.sum()),
                "outside": int(((ratio < 1 - self.epsilon) | (ratio > 1 + self.epsilon)).sum()),
                "gradient": gradient,
                "dlogits": dlogits,
                "graph": (logits, log_probs, kl, terms),
            }


def per_micro_batch(update, normalization):
    """The declared mean inside each micro-batch of two responses; then the plain mean over them."""
    parts = range(0, len(update.rewards), 2)
    inside = [(update.response >= n) & (update.response < n + 2) & update.valid for n in parts]
    return sum(position_weights(part, update.response, normalization) for part in inside) / len(inside)


def not_the_declared(update, normalization):
    """The weights of the other normalization."""
    other = {"token": "response", "response": "token"}[normalization]
    return position_weights(update.valid, update.response, other)


def product_of_ratios(update, log_probs, rows):
    """One ratio per response: the log-ratios of its valid positions are added."""
    every = update.taken(log_probs, update.valid) - update.taken(update.old_of(log_probs), update.valid)
    total = torch.zeros(len(update.rewards), dtype=torch.float64)
    return total.index_add(0, update.response[update.valid], every)[update.response[rows]]


def sampled(estimate):
    """A KL figure from the action taken alone: estimate(log p, log p_ref); nan where none was taken."""

    def divergence(update, log_probs):
        every = torch.ones_like(update.acted)
        found = estimate(update.taken(log_probs, every), update.taken(update.reference, every))
        return torch.where(update.acted, found, float("nan"))

    return divergence


def k3(lp, lr):
    """The third estimator, e^d - d - 1 with d = lr - lp."""
    return torch.exp(lr - lp) - (lr - lp) - 1


# Each wrong implementation path: the method of Update (u) that it gets wrong, written as somebody would write it.
WRONG = {
    "correct": {},
    "clip-then-multiply": {"combined": lambda u, ratio, A: u.bounded(ratio) * A},
    "min-before-advantage": {"combined": lambda u, ratio, A: torch.minimum(ratio, u.bounded(ratio)) * A},
    "unclipped-averaged": {"combined": lambda u, ratio, A: ratio * A},
    "clip-to-epsilon": {"bounded": lambda u, ratio: torch.clamp(ratio, u.epsilon, 1 + u.epsilon)},
    "ratio-always-one": {"old_of": lambda u, log_probs: log_probs.detach()},
    "old-not-detached": {"old_of": lambda u, log_probs: log_probs},
    "old-is-reference": {"old_of": lambda u, log_probs: u.reference},
    "reference-follows": {"reference_of": lambda u, log_probs: log_probs.detach()},
    "kl-subtracted": {"objective": lambda u, policy_term, kl: policy_term - u.beta * kl},
    "kl-without-gradient": {"divergence": lambda u, log_probs: u.exact_kl(log_probs).detach()},
    "kl-k1-in-loss": {"divergence": sampled(lambda lp, lr: lp - lr)},
    "kl-k3-in-loss": {"divergence": sampled(k3)},
    "kl-k3-upside-down": {"divergence": sampled(lambda lp, lr: k3(lr, lp))},
    "kl-reversed": {"divergence": lambda u, lp: (u.reference.exp() * (u.reference - lp)).sum(-1)},
    "own-group": {"group": lambda u: (tensor(0.0), tensor(1.0))},
    "masked-in-denominator": {"weights": lambda u, _: u.valid.double() / sum(row[1] >= 0 for row in u.rows)},
    "mask-ignored": {
        "fill": lambda u, rows: [(*row[:4], row[4] or 0) for row in rows],
        "weights": lambda u, normalization: torch.full_like(u.declared_weight, 1 / len(u.rows)),
    },
    "mean-of-micro-batches": {"weights": per_micro_batch},
    "other-normalization": {"weights": not_the_declared},
    "double-negation": {"policy_term": lambda u, value: value},
    "product-ratio": {"log_ratio": product_of_ratios},
    "temperature-mismatch": {"old_of": lambda u, log_probs: torch.log_softmax(u.behaviour / 0.7, -1)},
}


def derivatives(value, of):
    """The derivatives of a number, by autograd; 0 where it does not depend on them."""
    if not value.requires_grad:
        return [torch.zeros_like(item) for item in of]
    return torch.autograd.grad(value, of, retain_graph=True, allow_unused=True, materialize_grads=True)


def select(update, now, at):
    """The selected position: its own gradients, each by autograd from its term alone.

    policy_gradient: from the terms of all counted positions, should they depend on this one's logits.
    """
    logits, log_probs, kl, terms = now["graph"]
    response, position = map(int, at.split("."))
    index = [row[:2] for row in update.rows].index((response, position))
    rows = update.counted if update.counted[index] else torch.arange(len(kl)) == index
    value = update.surrogate(log_probs, rows & update.acted)[3]
    return {
        "index": index,
        "loss_share": terms[index],
        "policy_gradient": derivatives(update.policy_term(value).sum(), [logits])[0][index],
        "kl_gradient": derivatives(kl[kl == kl].sum(), [logits])[0][index],
        "share": torch.outer(update.features[index], now["dlogits"][index]),
        "share_sum": (update.features[:, :, None] * now["dlogits"][:, None, :]).sum(0),
    }


def positions(update, now, after):
    """The table's row of every position; None where no action was taken."""
    logits, log_probs, kl, _ = now["graph"]
    next_probs = after["graph"][1].exp()
    everywhere = torch.ones_like(update.acted)
    ratio, unclipped, clipped, value = update.surrogate(log_probs, everywhere)
    is_clipped, reference = update.is_clipped(ratio, everywhere), update.reference_of(log_probs)
    taken = {
        "logprob_old": update.taken(update.old_of(log_probs), everywhere),
        "logprob": update.taken(log_probs, everywhere),
        "ratio": ratio,
        "unclipped": unclipped,
        "clipped_term": clipped,
        "surrogate": value,
        "prob": update.taken(log_probs, everywhere).exp(),
        "prob_next": next_probs.gather(-1, update.action[:, None])[:, 0],
    }
    rows = []
    for k, given in enumerate(update.rows):
        row = dict(zip(("response", "position", "kind", "features", "action"), given))
        action = row["action"]
        row.update({name: None if action is None else values[k] for name, values in taken.items()})
        row["is_clipped"] = action is not None and bool(is_clipped[k])
        row.update(weight=update.weight[k], advantage=update.advantage[k])
        row["kl"] = None if kl[k].isnan() else kl[k]
        row.update(logits=logits[k], probs=log_probs[k].exp(), ref_probs=reference[k].exp())
        row["dlogits"] = now["dlogits"][k]
        rows.append(row)
    return rows


def recompute(setup, settings):
    """The whole state again: a dictionary of the same shape, with tensors for tables."""
    update = Update(setup, settings)
    now = update.evaluate(tensor(setup["initial"]))
    history = []
    for n in range(settings["step"]):
        entry = {"step": n + 1, "loss": now["loss"], "kl": now["kl"], "clipped": now["clipped"]}
        history.append({**entry, "W": now["next"]})
        now = update.evaluate(now["next"])
    after = update.evaluate(now["next"])
    first_of_each = [k for k, row in enumerate(update.rows) if row[1] == -1]
    return {
        "step": settings["step"],
        "loss": now["loss"],
        "loss_next": after["loss"],
        "kl": now["kl"],
        "kl_exact": now["kl_exact"],
        "clipped": now["clipped"],
        "outside": now["outside"],
        "counted": int(update.counted.sum()),
        "skipped": not bool(update.counted.any()),
        "rewards": update.rewards,
        "group": dict(zip(("mean", "deviation"), update.group())),
        "advantages": update.advantage[first_of_each],
        "W": now["parameters"],
        "gradient": now["gradient"],
        "W_next": now["next"],
        "W_old": setup["behaviour"],
        "W_ref": setup["reference"],
        "positions": positions(update, now, after),
        "selected": select(update, now, settings["at"]),
        "history": history,
    }


def leaves(value, path="", field=""):
    """Yield (exact path, field name without the indices, value) for every number, string or None inside."""
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}", f"{field}.{key}".lstrip("."))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}.{index}", field)
    else:
        yield path, field, value


def difference(found, expected):
    """How far apart two values are, relative to the size where that is above 1; infinite if not comparable."""
    numbers = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
    if isinstance(found, str):
        found = numbers.get(found, found)
    if found == expected or str(found) == str(expected) == "nan":
        return 0.0
    if isinstance(found, (int, float)) and isinstance(expected, (int, float)):
        gap = abs(found - expected) / max(1.0, abs(expected))
        return gap if gap >= 0 else float("inf")  # undefined: one of the two is infinite or nan
    return float("inf")


def compare(document):
    """Return {field: (how many values, largest difference)}; infinite where one side lacks a value."""
    expected = recompute(document["setup"], document["settings"])
    found = {key: item for key, item in document["state"].items() if key not in NOT_RECOMPUTED}
    ours = {path: value for path, _, value in leaves(expected)}
    theirs = {path: value for path, _, value in leaves(found)}
    absent = object()
    table = {}
    for path, field, _ in [*leaves(found), *(leaf for leaf in leaves(expected) if leaf[0] not in theirs)]:
        count, largest = table.get(field, (0, 0.0))
        gap = difference(theirs.get(path, absent), ours.get(path, absent))
        table[field] = (count + 1, max(largest, gap))
    return table


def main(arguments):
    if len(arguments) != 1:
        print("usage: python autograd.py update.json", file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        table = compare(json.load(file))
    print(f"PyTorch {torch.__version__}, float64; allowed difference {ALLOWED} (relative above 1)")
    print(f"{'field':28} {'how many':>8}  largest difference")
    for field, (count, largest) in table.items():
        print(f"{field:28} {count:8}  {largest:.2e}{'' if largest <= ALLOWED else '  DIFFERS'}")
    wrong = [field for field, (_, largest) in table.items() if largest > ALLOWED]
    total = sum(count for count, _ in table.values())
    print(f"{total} values compared; " + (f"{len(wrong)} fields differ" if wrong else "all agree"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
