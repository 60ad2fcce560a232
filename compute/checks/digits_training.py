"""The whole experiment once more with PyTorch: the network, the losses as a program writes them, autograd, Adam.

Nothing is imported from compute/digits. Only the random numbers are the same: numpy's, drawn in the same order. R runs
of one group go side by side, each with its own row of every tensor; a table is the log-probabilities of all hundred
trajectories of some inputs, [R, I, 100], first digit by first digit.
"""

import numpy as np
import torch

A, B = torch.arange(100) // 10, torch.arange(100) % 10
DIGITS = torch.eye(10, dtype=torch.float64)


class Group:
    """Runs side by side: rows (of the seeds), betas and rates [R], their reference's table, what they record."""

    def __init__(self, runs, references):
        self.rows, betas, rates = (list(values) for values in zip(*runs))
        self.beta, self.rate = [torch.tensor(values, dtype=torch.float64) for values in (betas, rates)]
        reference = {name: value[self.rows] for name, value in references.items()}
        self.parameters = {name: value.clone().requires_grad_() for name, value in reference.items()}
        self.log_q = table(reference)
        self.records = {"reward": [], "kl": [], "sampled_kl": []}

    def climb(self, value):
        """Go one step up the gradient of a sum over runs."""
        slopes = torch.autograd.grad(value, list(self.parameters.values()))
        with torch.no_grad():
            for parameter, slope in zip(self.parameters.values(), slopes):
                parameter += self.rate.reshape(-1, *[1] * (slope.dim() - 1)) * slope

    def evaluate(self, right):
        """Record reward and KL of every input, by enumeration."""
        with torch.no_grad():
            log_p = table(self.parameters)
            self.records["reward"].append(log_p[:, torch.arange(100), right].exp())
            self.records["kl"].append((log_p.exp() * (log_p - self.log_q)).sum(-1).clamp(min=0.0))

    def recorded(self, name):
        """Return what was recorded. -> [evaluations, R, ...]."""
        return torch.stack(self.records[name])


def table(parameters, inputs=None):
    """Return log p(u, v) of all trajectories. inputs: [R, I], all where there are none."""
    rows = len(parameters["bias"])
    inputs = torch.arange(100).expand(rows, 100) if inputs is None else inputs
    z = DIGITS[A[inputs]] @ parameters["digit_a"] + DIGITS[B[inputs]] @ parameters["digit_b"]
    z = z + parameters["bias"][:, None]
    log_u = torch.log_softmax(torch.tanh(z) @ parameters["first"] + parameters["first_bias"][:, None], -1)
    after = torch.tanh(z[:, :, None] + parameters["embedding"][:, None]).flatten(1, 2)
    logits = after @ parameters["second"] + parameters["second_bias"][:, None]
    log_v = torch.log_softmax(logits, -1).unflatten(1, (-1, 10))
    return (log_u[..., None] + log_v).flatten(2)


def right_trajectories(operation):
    """Return the right answer of every input as a number of a trajectory. -> [100]."""
    return A + B if operation == "sum" else A * B  # its two digits are those of the number itself


def training_inputs(setup):
    """Return which inputs are trained on, as a sorted row."""
    order = np.random.default_rng(np.random.SeedSequence(setup["split_seed"])).permutation(100)
    return torch.tensor(np.sort(order[: round(setup["training_fraction"] * 100)]))


def supervised(setup, right):
    """Return every seed's parameters after the supervised steps, and the last losses [S]."""
    hidden, deviation = setup["hidden"], setup["initial_deviation"]
    shapes = {
        "digit_a": (10, hidden),
        "digit_b": (10, hidden),
        "bias": (hidden,),
        "first": (hidden, 10),
        "first_bias": (10,),
        "embedding": (10, hidden),
        "second": (hidden, 10),
        "second_bias": (10,),
    }
    made = []
    for seed in setup["seeds"]:
        generator = np.random.default_rng(np.random.SeedSequence(seed).spawn(2)[0])
        made.append(
            {
                name: generator.normal(0.0, deviation, shape) if len(shape) == 2 else np.zeros(shape)
                for name, shape in shapes.items()
            }
        )
    parameters = {name: torch.tensor(np.stack([each[name] for each in made])) for name in shapes}
    for value in parameters.values():
        value.requires_grad_()
    plan = setup["supervised"]
    optimizer = torch.optim.Adam(parameters.values(), lr=plan["rate"], betas=(0.9, 0.999), eps=1e-8)

    def losses():
        return -table(parameters)[:, torch.arange(100), right].mean(-1)

    for _ in range(plan["steps"]):
        optimizer.zero_grad()
        losses().sum().backward()
        optimizer.step()
    final = losses().detach()
    return {name: value.detach() for name, value in parameters.items()}, final


def batches(setup, training):
    """Yield for every update each seed's inputs and the uniform numbers of both steps. -> [S, I], [S, I, K, 2]."""
    plan = setup["reinforce"]
    generators = [np.random.default_rng(np.random.SeedSequence(seed).spawn(2)[1]) for seed in setup["seeds"]]
    while True:
        drawn = []
        for generator in generators:
            places = generator.permutation(len(training))[: plan["inputs"]]
            drawn.append(
                (training[places], torch.tensor(generator.random((plan["inputs"], plan["samples"], 2))))
            )
        inputs, uniforms = zip(*drawn)
        yield torch.stack(inputs), torch.stack(uniforms)


def chosen(probabilities, uniforms):
    """Return the actions in whose slice of [0, 1) uniform numbers lie. [..., 10], [...] -> [...]."""
    return (probabilities.cumsum(-1)[..., :9] <= uniforms[..., None]).sum(-1)


def trajectories(log_p, uniforms):
    """Return the sampled trajectories: the first digit from its distribution, the second from the one after it."""
    p = log_p.exp().unflatten(-1, (10, 10))  # [R, I, 10, 10]
    u = chosen(p.sum(-1)[:, :, None], uniforms[..., 0])
    taken = p.gather(2, u[..., None].expand(*u.shape, 10))
    return 10 * u + chosen(taken / taken.sum(-1, keepdim=True), uniforms[..., 1])


def sampled_run(setup, group, right, training):
    """Train a group with leave-one-out REINFORCE: one batch, one step."""
    plan = setup["reinforce"]
    for update, batch in zip(range(plan["updates"] + 1), batches(setup, training)):
        inputs, uniforms = (part[group.rows] for part in batch)
        log_table = table(group.parameters, inputs)
        with torch.no_grad():
            path = trajectories(log_table, uniforms)
            log_q = group.log_q.gather(1, inputs[..., None].expand(*inputs.shape, 100)).gather(-1, path)
        log_p = log_table.gather(-1, path)
        ratios = (log_p - log_q).detach()
        returns = (path == right[inputs][..., None]).double() - group.beta[:, None, None] * ratios
        others = (returns.sum(-1, keepdim=True) - returns) / (plan["samples"] - 1)
        if update % plan["evaluate_every"] == 0:
            group.evaluate(right)
            group.records["sampled_kl"].append(ratios.mean((1, 2)))
        if update < plan["updates"]:
            group.climb(((returns - others) * log_p).mean((1, 2)).sum())
    return group


def exact_run(setup, group, right, training):
    """Train a group by the gradient of the objective itself, enumerated."""
    plan = setup["reinforce"]
    for update in range(plan["updates"] + 1):
        if update % plan["evaluate_every"] == 0:
            group.evaluate(right)
        if update < plan["updates"]:
            group.climb(objective(group, right, training).sum())
    return group


def objective(group, right, training):
    """Return the mean over the training inputs of E[R] - beta KL(p || q). -> [R]."""
    log_p, _, returns = returns_of(group, right, training)
    return (log_p.exp() * returns).sum(-1).mean(-1)


def returns_of(group, right, training):
    """Return log p, R and R - beta log(p / q) of every trajectory of the training inputs, to be differentiated."""
    rows = len(group.rows)
    log_p = table(group.parameters, training.expand(rows, len(training)))
    rewards = torch.nn.functional.one_hot(right[training], 100).double()
    return log_p, rewards, rewards - group.beta[:, None, None] * (log_p - group.log_q[:, training])


def gradient_lengths(group, right, training):
    """Return the length of the objective's gradient, and how far two wrong ones are off relative to it. -> [R]."""
    log_p, rewards, returns = returns_of(group, right, training)
    penalty = rewards - returns
    p = log_p.exp().detach()
    maximised = {
        "right": log_p.exp() * returns,
        "product": p * returns * log_p,
        "value_only": p * (rewards * log_p - penalty),
    }
    rows = {}
    for name, terms in maximised.items():
        value = terms.sum(-1).mean(-1).sum()
        slopes = torch.autograd.grad(value, list(group.parameters.values()), retain_graph=True)
        rows[name] = torch.cat([slope.flatten(1) for slope in slopes], 1)
    right_length = rows["right"].norm(dim=1)
    off = {
        name: (rows[name] - rows["right"]).norm(dim=1) / right_length for name in ("product", "value_only")
    }
    return {"length": right_length, **off}
