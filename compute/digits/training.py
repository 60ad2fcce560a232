"""Many runs side by side: sampled or exact gradient ascent, with an evaluation by enumeration now and then.

A run is a seed, a beta and a step size. No run sees another: each has its seed's generator, inputs and uniform
numbers, and its own row of every array; so one more seed or beta changes no other run's numbers.
"""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import pairwise
from threading import Event
from types import SimpleNamespace

import numpy as np

from .evaluation import enumerated, evaluated, trajectory_log_probs
from .gradients import exact_gradient, rewards_of
from .policy import flat
from .reinforce import climb, draw, leave_one_out, log_ratios, policy_gradient, returns_of, sampled
from .task import split, streams, targets

THREADS = 2
BLOCK = 500_000  # numbers of the largest array while evaluating; so many runs go side by side
REUSED = 31_000_000  # bytes; the most that one call of reuse_memory can do is 32 MiB


def runs_of(pairs, seeds):
    """Return runs as arrays. pairs: list of (seed, beta, rate) -> seed's row, beta, rate, each [R]."""
    seed, beta, rate = zip(*pairs, strict=True)
    row = np.array([seeds.index(value) for value in seed])
    return SimpleNamespace(row=row, beta=np.array(beta, dtype=float), rate=np.array(rate, dtype=float))


def some(runs, part):
    """Return some of the runs."""
    return SimpleNamespace(row=runs.row[part], beta=runs.beta[part], rate=runs.rate[part])


def of_rows(parameters, rows):
    """Return copies of these rows of the parameters: nothing is shared with where they come from."""
    return {name: value[rows].copy() for name, value in parameters.items()}


def train(setup, reference, runs, exact=False, tick=lambda: None, disturbance=0.0):
    """Train all runs from the reference and return what was recorded, in blocks of runs.

    reference: the parameters of every seed, frozen. tick is called once per update and block. disturbance: the
    current policy starts from the reference times 1 + disturbance.
    E evaluations, C checkpoints: -> reward, kl [E, R, 100], sampled_kl [E, R] (0 where exact), rows [C, R, P] and
    final [R, P], the parameters in stored order; kl_error, sum_error, the largest.
    """
    reuse_memory()
    stopped = Event()

    def work(part):
        return train_block(setup, reference, some(runs, part), exact, tick, disturbance, stopped)

    parts = side_by_side(work, blocks(setup, len(runs.row)), stopped)
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts], axis=1).astype(float)
        for name in ("reward", "kl", "sampled_kl", "rows")
    }
    joined["final"] = np.concatenate([part.final for part in parts])
    worst = {name: max_of([getattr(part, name) for part in parts]) for name in ("kl_error", "sum_error")}
    return SimpleNamespace(**joined, **worst)


def reuse_memory():
    """Free one large array, after which glibc keeps what smaller ones free; training then takes about half as long.

    Otherwise it gives arrays of our size back to the system and takes fresh pages each time. No effect elsewhere.
    """
    np.empty(REUSED, dtype=np.uint8)


def max_of(values):
    """Return the largest, or undefined where one is."""
    return float(np.max(values))


def blocks(setup, runs):
    """Return the slices of runs that go side by side in one array: as many slices as threads, or a multiple."""
    most = max(1, BLOCK // (1000 * setup["hidden"]))
    count = min(runs, THREADS * -(-runs // (THREADS * most)))
    bounds = [runs * n // count for n in range(count + 1)]
    return [slice(start, stop) for start, stop in pairwise(bounds)]


def side_by_side(work, parts, stopped):
    """Return work(part) of every part, THREADS at once: numpy computes without Python's lock.

    An exception, Ctrl-C too, sets stopped, at which the others end with their next update.
    """

    def guarded(part):
        try:
            return work(part)
        except BaseException:
            stopped.set()
            raise

    with ThreadPoolExecutor(THREADS) as pool:
        try:
            # A copy of the context, so that np.errstate holds in the threads too.
            futures = [pool.submit(copy_context().run, guarded, part) for part in parts]
            return [future.result() for future in futures]
        except BaseException:
            stopped.set()
            raise


def train_block(setup, reference, runs, exact, tick, disturbance, stopped):
    """Train the runs of one block, see train; None where another block has failed."""
    u, v = targets(setup["operation"])
    training = np.flatnonzero(split(setup["training_fraction"], setup["split_seed"]))
    frozen = of_rows(reference, runs.row)
    table = enumerated(frozen)
    log_q = trajectory_log_probs(table)  # [R, 100, 10, 10]
    parameters = {name: value * (1.0 + disturbance) for name, value in frozen.items()}
    plan, checkpoints = setup["reinforce"], setup["shown"]["checkpoint_updates"]
    next_batch = batches(setup, training)
    step = exact_steps(training, log_q, (u, v), runs) if exact else sampled_steps(log_q, (u, v), runs)
    kept = {name: [] for name in ("reward", "kl", "sampled_kl", "rows", "kl_error", "sum_error")}
    for update in range(plan["updates"] + 1):
        batch = None if exact else [part[runs.row] for part in next_batch()]
        gradient, sampled_kl = step(parameters, batch)
        if update % plan["evaluate_every"] == 0:
            found = evaluated(parameters, table, u, v)
            kept["reward"].append(found.reward)
            kept["kl"].append(found.kl)
            kept["kl_error"].append(found.kl_error.max())
            kept["sum_error"].append(found.sum_error.max())
            kept["sampled_kl"].append(sampled_kl)
        if update in checkpoints:
            kept["rows"].append(flat(parameters))
        if update < plan["updates"]:
            climb(parameters, gradient, runs.rate)
        tick()
        if stopped.is_set():
            return None  # the exception that stopped it is another block's
    recorded = {name: np.array(values) for name, values in kept.items()}
    return SimpleNamespace(**recorded, final=flat(parameters))


def batches(setup, training):
    """Return a function that draws the next batch of every seed, see draw."""
    generators = [streams(seed)[1] for seed in setup["seeds"]]
    plan = setup["reinforce"]
    return lambda: draw(generators, training, plan["inputs"], plan["samples"])


def sampled_steps(log_q, right, runs):
    """Return a function of parameters and batch -> gradient of one REINFORCE update, mean sampled log-ratio [R]."""

    def step(parameters, batch):
        inputs, uniforms = batch
        taken = sampled(parameters, inputs, uniforms)
        ratios = log_ratios(taken, inputs, log_q)
        advantages = leave_one_out(returns_of(taken, inputs, ratios, right, runs.beta))
        return policy_gradient(parameters, taken, advantages), ratios.mean(axis=(-1, -2))

    return step


def exact_steps(training, log_q, right, runs):
    """Return the same with the exact gradient over all training inputs: nothing is sampled, so no log-ratio."""
    u, v = right
    rewards = rewards_of(u[training], v[training])

    def step(parameters, batch):
        gradient = exact_gradient(parameters, log_q[:, training], training, rewards, runs.beta)
        return gradient, np.zeros(len(runs.beta))

    return step
