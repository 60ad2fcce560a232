"""Check one state of the page "RL parameter update" with PyTorch's automatic differentiation, in float64.

    python autograd.py update.json

update.json is {"setup": ..., "settings": ..., "state": ...}, as the page saves it. The script stands alone: it
shares no code with the page. It redoes the updates from their start, with the gradient from autograd and the
constants of the objective detached, and compares every number of the state. Exit status 1 if one differs by
more than 1e-12, relative to its size where that is above 1.
"""

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


def group_advantages(rewards):
    """(r - mean) / population standard deviation; exactly 0 for a group of equal rewards."""
    if bool((rewards == rewards[0]).all()):
        return torch.zeros_like(rewards)
    return (rewards - rewards.mean()) / rewards.std(correction=0)


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
    """One batch with its constants, evaluated at any parameters."""

    def __init__(self, setup, settings):
        if settings["path"] != "correct":
            raise ValueError(f"this script checks the correct path, not {settings['path']!r}")
        self.rows = lay_out(setup, settings["keep"])
        self.beta, self.epsilon = settings["beta"], settings["clip_epsilon"]
        self.learning_rate = settings["learning_rate"]
        rewards = settings["rewards"]
        self.rewards = tensor(setup["rewards"][rewards] if isinstance(rewards, str) else rewards)
        self.response = torch.tensor([row[0] for row in self.rows])
        self.features = tensor([row[3] for row in self.rows])
        self.acted = torch.tensor([row[4] is not None for row in self.rows])
        self.valid = torch.tensor([row[2] == "token" for row in self.rows])
        self.action = torch.tensor([row[4] or 0 for row in self.rows])
        self.advantage = group_advantages(self.rewards)[self.response]
        self.weight = position_weights(self.valid, self.response, settings["normalization"])
        with torch.no_grad():  # old and reference policy: constants of the objective
            self.old = torch.log_softmax(self.features @ tensor(setup["behaviour"]), -1)
            self.reference = torch.log_softmax(self.features @ tensor(setup["reference"]), -1)

    def taken(self, log_probs, rows):
        """The log-probability of the action taken at each of these rows."""
        return log_probs[rows].gather(-1, self.action[rows, None])[:, 0]

    def surrogate(self, log_probs, rows):
        """Ratio, its two products with the advantage, and the smaller one, at these rows."""
        ratio = torch.exp(self.taken(log_probs, rows) - self.taken(self.old, rows))
        unclipped = ratio * self.advantage[rows]
        clipped = torch.clamp(ratio, 1 - self.epsilon, 1 + self.epsilon) * self.advantage[rows]
        return ratio, unclipped, clipped, torch.minimum(unclipped, clipped)

    def divergence(self, log_probs):
        """KL(p || reference) at every row, the exact sum over the actions."""
        return (log_probs.exp() * (log_probs - self.reference)).sum(-1)

    def evaluate(self, parameters):
        """Loss and gradient by autograd, and every number on the way. parameters: a plain tensor."""
        weights = parameters.clone().requires_grad_()
        logits = self.features @ weights
        logits.retain_grad()
        log_probs = torch.log_softmax(logits, -1)
        kl = self.divergence(log_probs)
        ratio, _, _, value = self.surrogate(log_probs, self.valid)
        terms = torch.zeros_like(kl)
        terms[self.valid] = self.weight[self.valid] * (-value + self.beta * kl[self.valid])
        loss = terms.sum()
        loss.backward(retain_graph=True)
        with torch.no_grad():
            skipped = not self.valid.any()
            size = (self.weight[self.valid] * (value.abs() + abs(self.beta) * kl[self.valid].abs())).sum()
            ulp = torch.nextafter(size, tensor(float("inf"))) - size
            _, unclipped, clipped, _ = self.surrogate(log_probs, self.valid)
            return {
                "parameters": parameters,
                "next": parameters.clone() if skipped else parameters - self.learning_rate * weights.grad,
                "loss": 0.0 if loss.abs() < 4 * ulp else loss.item(),
                "kl": (self.weight * kl).sum(),
                "clipped": int((clipped < unclipped).sum()),
                "outside": int(((ratio < 1 - self.epsilon) | (ratio > 1 + self.epsilon)).sum()),
                "gradient": weights.grad,
                "dlogits": logits.grad,
                "graph": (weights, logits, log_probs, kl, terms),
            }


def select(update, now, at):
    """The selected position: its own gradients, each by autograd from its own term alone."""
    weights, logits, log_probs, kl, terms = now["graph"]
    response, position = map(int, at.split("."))
    index = [row[:2] for row in update.rows].index((response, position))
    policy_gradient = torch.zeros_like(logits)
    if update.acted.any():
        value = update.surrogate(log_probs, update.acted)[3]
        policy_gradient = torch.autograd.grad(-value.sum(), logits, retain_graph=True)[0]
    return {
        "index": index,
        "loss_share": terms[index],
        "policy_gradient": policy_gradient[index],
        "kl_gradient": torch.autograd.grad(kl.sum(), logits, retain_graph=True)[0][index],
        "share": torch.autograd.grad(terms[index], weights, retain_graph=True)[0],
        "share_sum": (update.features[:, :, None] * now["dlogits"][:, None, :]).sum(0),
    }


def positions(update, now, after):
    """The table's row of every position; None where no action was taken."""
    _, logits, log_probs, kl, _ = now["graph"]
    next_probs = after["graph"][2].exp()
    everywhere = torch.ones_like(update.acted)
    ratio, unclipped, clipped, value = update.surrogate(log_probs, everywhere)
    taken = {
        "logprob_old": update.taken(update.old, everywhere),
        "logprob": update.taken(log_probs, everywhere),
        "ratio": ratio,
        "unclipped": unclipped,
        "clipped_term": clipped,
        "surrogate": value,
        "prob": update.taken(log_probs, everywhere).exp(),
        "prob_next": next_probs.gather(-1, update.action[:, None])[:, 0],
    }
    rows = []
    for k, (response, position, kind, features, action) in enumerate(update.rows):
        row = {
            "response": response,
            "position": position,
            "kind": kind,
            "features": features,
            "action": action,
        }
        row.update({name: None if action is None else values[k] for name, values in taken.items()})
        row["is_clipped"] = action is not None and bool(clipped[k] < unclipped[k])
        row.update(weight=update.weight[k], advantage=update.advantage[k], kl=kl[k])
        row.update(logits=logits[k], probs=log_probs[k].exp(), ref_probs=update.reference[k].exp())
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
        "kl_exact": now["kl"],
        "clipped": now["clipped"],
        "outside": now["outside"],
        "counted": int(update.valid.sum()),
        "skipped": not bool(update.valid.any()),
        "rewards": update.rewards,
        "group": {"mean": update.rewards.mean(), "deviation": update.rewards.std(correction=0)},
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
