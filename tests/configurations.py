"""Setups and settings for tests: the shipped ones written out, random ones, and hypothesis strategies."""

from random import Random

import numpy as np
from hypothesis import strategies as st

from compute.digits.policy import named
from compute.update import evaluate_positions

BETAS = [0.0, 0.05, 0.1, 0.2, 0.5]
REWARDS = {
    "mixed": [1, 0, 0.5, 1],
    "equal": [1, 1, 1, 1],
    "one-right": [1, 0, 0, 0],
    "two-neutral": [1, 0, 0.5, 0.5],
}


def shipped_setup():
    """The page's default configuration: x = [1, 0.2] + [0.1, -0.1] i + [0, 0.35] t, i and t from 0."""
    actions = [[0, 1, 0, 2], [1, 2], [2, 0, 1], [0]]
    return {
        "initial": [[0.3, -0.2, 0.1], [-0.1, 0.4, -0.3]],
        "behaviour": [[0.3, -0.2, 0.1], [-0.1, 0.4, -0.3]],
        "reference": [[0.1, 0.0, 0.05], [0.05, 0.2, -0.2]],
        "steps": 20,
        "prompt": [1.0, -0.5],
        "padding": [0.0, 1.0],
        "responses": [
            {
                "features": [[1 + 0.1 * i, 0.2 - 0.1 * i + 0.35 * t] for t in range(len(taken))],
                "actions": taken,
                "mask": [1] * len(taken),
            }
            for i, taken in enumerate(actions)
        ],
        "rewards": {name: list(rewards) for name, rewards in REWARDS.items()},
    }


def shipped_settings(**changes):
    """The settings of the page as it opens, with changes."""
    settings = {
        "normalization": "token",
        "keep": 4,
        "beta": 0.1,
        "clip_epsilon": 0.2,
        "learning_rate": 0.3,
        "rewards": "mixed",
        "path": "correct",
        "step": 0,
        "at": "0.0",
    }
    assert set(changes) <= set(settings)
    return {**settings, **changes}


def shipped_expectation():
    """The two-step environment of the page's section 04."""
    return {
        "first": [1.0, -0.5],
        "second_base": [1.0, 0.3],
        "second_per_action": [0.0, 0.4],
        "rewards": [[1, 0, 0.5], [0, 1, 0.2], [0.3, 0.6, 0]],
    }


def kl_setup():
    """What no control of the chapter on KL and clipping changes."""
    cases = [(1.4, 2.0), (0.6, -2.0), (1.4, -2.0)]
    return {
        "group_sizes": [1, 2, 4, 8, 16, 64],
        "cases": [{"ratio": ratio, "advantage": advantage} for ratio, advantage in cases],
        "longest": 6,
        "batch": 64,
    }


def kl_settings(**changes):
    """The worked example of the chapter on KL and clipping, with changes."""
    settings = {
        "p": 0.8,
        "q": 0.5,
        "rewards": [1, 0],
        "beta": 0.1,
        "n": 8,
        "ratio": 1.4,
        "advantage": 2.0,
        "clip_epsilon": 0.2,
        "token_ratio": 1.1,
        "length": 10,
        "tree_p": 0.8,
        "tree_q": 0.5,
        "tree_kl": [0.0, 0.5],
        "vocabulary": 10,
    }
    assert set(changes) <= set(settings)
    return {**settings, **changes}


def random_setup(seed, d, actions, lengths, size=1.0, masked=0.2):
    """A setup of this shape, filled from the seed. size: of parameters; masked: share of masked positions."""
    rng = Random(seed)

    def vector(length, spread=1.5):
        return [round(rng.uniform(-spread, spread), 3) for _ in range(length)]

    return {
        "initial": [vector(actions, size) for _ in range(d)],
        "behaviour": [vector(actions, size) for _ in range(d)],
        "reference": [vector(actions, size) for _ in range(d)],
        "steps": 20,
        "prompt": vector(d),
        "padding": vector(d),
        "responses": [
            {
                "features": [vector(d) for _ in range(length)],
                "actions": [rng.randrange(actions) for _ in range(length)],
                "mask": [int(rng.random() >= masked) for _ in range(length)],
            }
            for length in lengths
        ],
        "rewards": {"given": [rng.choice([0, 0.25, 0.5, 1]) for _ in lengths]},
    }


def one_token_setup(current, old, actions=(0, 0)):
    """Two answers of one token, one feature 1: the logits are the parameters."""
    return {
        "initial": [list(current)],
        "behaviour": [list(old)],
        "reference": [[0.0] * len(current)],
        "steps": 3,
        "prompt": [0.0],
        "padding": [0.0],
        "responses": [{"features": [[1.0]], "actions": [action], "mask": [1]} for action in actions],
        "rewards": {"given": [1, 0]},
    }


def near_a_bound(batch, now, distance):
    """Tell whether a counted ratio lies so close to a clip bound that a small step could cross it."""
    bounds = (1 - batch.clip_epsilon, 1 + batch.clip_epsilon)
    return any(
        weight and min(abs(term.ratio - bound) for bound in bounds) < distance
        for weight, term in zip(batch.weights, evaluate_positions(batch, now.parameters))
    )


@st.composite
def setups(draw, largest_d=8, most_actions=12, most_responses=6, longest=8, size=1.0):
    """Random setups of any shape; the numbers inside come from one drawn seed, so that shapes shrink well."""
    d = draw(st.integers(1, largest_d))
    actions = draw(st.integers(2, most_actions))
    lengths = draw(st.lists(st.integers(1, longest), min_size=1, max_size=most_responses))
    masked = draw(st.sampled_from([0.0, 0.2, 0.6, 1.0]))
    setup = random_setup(draw(st.integers(0, 2**32 - 1)), d, actions, lengths, size, masked)
    if draw(st.booleans()):
        setup["behaviour"] = [list(row) for row in setup["initial"]]
    if draw(st.booleans()):  # one response without any valid position
        setup["responses"][0]["mask"] = [0] * lengths[0]
    setup["rewards"] = {"given": draw(rewards(len(lengths)))}
    return setup


def distributions(actions, least=0):
    """Probabilities of this many actions, in shares of whole numbers; least = 0: some may be exactly 0."""
    shares = st.lists(
        st.integers(least, 1000) | st.sampled_from([least, 1]), min_size=actions, max_size=actions
    )
    return shares.filter(any).map(lambda counts: [count / sum(counts) for count in counts])


@st.composite
def kl_cases(draw):
    """Random settings of the chapter on KL and clipping, in hundredths, as its controls set them."""

    def hundredths(low, high):
        return draw(st.integers(low, high)) / 100

    return kl_settings(
        p=hundredths(0, 100),
        q=hundredths(0, 100),
        rewards=[hundredths(-200, 200), hundredths(-200, 200)],
        beta=hundredths(0, 200),
        n=draw(st.integers(1, 64)),
        ratio=hundredths(0, 300),
        advantage=hundredths(-300, 300),
        clip_epsilon=hundredths(1, 99),
        token_ratio=hundredths(50, 200),
        length=draw(st.integers(1, 30)),
        tree_p=hundredths(0, 100),
        tree_q=hundredths(0, 100),
        tree_kl=[hundredths(0, 69), hundredths(0, 69)],
        vocabulary=draw(st.integers(2, 1000)),
    )


def rewards(count):
    """Rewards of one group: thousandths between -2 and 2, often equal."""
    some = st.integers(-2000, 2000).map(lambda n: n / 1000)
    return st.one_of(some.map(lambda r: [r] * count), st.lists(some, min_size=count, max_size=count))


@st.composite
def cases(draw, most_steps=3, **limits):
    """A random setup with random settings for it."""
    setup = draw(setups(**limits))
    settings = {
        "normalization": draw(st.sampled_from(["token", "response"])),
        "keep": draw(st.integers(0, 9)),
        "beta": draw(st.sampled_from(BETAS) | st.floats(0, 3)),
        "clip_epsilon": draw(st.floats(0.01, 0.99)),
        "learning_rate": draw(st.floats(0.001, 1)),
        "rewards": "given",
        "path": "correct",
        "step": draw(st.integers(0, most_steps)),
        "at": f"{draw(st.integers(0, len(setup['responses']) - 1))}.{draw(st.integers(-1, 0))}",
    }
    return setup, settings


def digits_setup(**changes):
    """A small experiment "ten actions, two steps": a second or less, two seeds, two betas."""
    setup = {
        "operation": "sum",
        "training_fraction": 0.6,
        "split_seed": 0,
        "hidden": 6,
        "initial_deviation": 0.3,
        "supervised": {"steps": 30, "rate": 0.02},
        "reinforce": {"updates": 20, "rate": 1.0, "inputs": 7, "samples": 3, "evaluate_every": 10},
        "seeds": [0, 5],
        "betas": [0.0, 0.5],
        "rates": {"beta": 0.5, "rates": [1.0, 0.25], "seeds": [5]},
        "shown": {"checkpoint_seeds": [5], "checkpoint_updates": [0, 10, 20]},
    }
    assert set(changes) <= set(setup)
    return {**setup, **changes}


def digits_parameters(seed, hidden=4, runs=(), size=1.0):
    """Random parameters of the experiment's network, biases too."""
    generator = np.random.default_rng(seed)
    return named(generator.normal(0.0, size, (*runs, 51 * hidden + 20)), hidden)
