"""Random configs of any shape and size, built into every page in both languages and checked against numpy.

A few in the test run, thousands with `make fuzz`. The experiment is the shipped one: training it takes seconds.
"""

import dataclasses
import json
import re
from random import Random

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from compute.checks.vectorised import second_route
from compute.paths import PATHS
from publish import site
from publish.kl.config import KlConfig
from publish.numbers import export
from publish.reading.problems import Problems
from publish.rendering.pages import Page, environment
from publish.site import TEMPLATES
from publish.words.language import LANGUAGES
from tests.configurations import kl_cases
from tests.content_tools import (
    KL,
    config_from,
    rollout_text,
    shipped_content,
    shipped_kl_config,
    shipped_material,
)
from tests.documents import Document

FUZZ = settings().max_examples > 1000
# A failing build is not made smaller: each try takes a second. What failed is printed as it is.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
EXACT = 1e-9  # relative, where sizes allow any digit to be right
CHANGING = ("update", KL, "faults")  # pages that follow these configs
SMALL = 400_000  # characters; reading a longer page back takes longer than building it
LINES = ("initial", "reference", "behaviour")
REWARDS = ([0, 1], [-1e6, 1e6], [1e-9, 0], [1, 1], [0, 0])
RANGES = {
    "clip_epsilon": (1e-9, 0.2, 0.5, 0.999999999),
    "learning_rate": (1e-12, 0.3, 1000.0, 1e6),
    "beta": (0.0, 1e-300, 0.25, 1e6),
    "normalization": ('"token"', '"response"'),
    "keep": (0, 1, 3, 32),
    "step": (0, 1, 3),
}


def scaled(text, size):
    """Return a config whose logits are as many times larger."""

    def larger(match):
        return re.sub(r"-?\d+\.\d+", lambda number: repr(float(number[0]) * size), match[0])

    return re.sub(rf"^({'|'.join(LINES)}) = .*$", larger, text, flags=re.MULTILINE)


def valued(text, values, rng):
    """Return a config with these values of its keys, and rewards drawn from some."""
    for key, value in values.items():
        text, times = re.subn(rf"^{key} = .*$", f"{key} = {value}", text, flags=re.MULTILINE)
        assert times == 1, key
    count = text.count("[[responses]]")
    rewards = rng.choice(REWARDS)
    return re.sub(
        r"^given = .*$", f"given = {[rng.choice(rewards) for _ in range(count)]}", text, flags=re.MULTILINE
    )


@st.composite
def texts(draw):
    """A valid rollout.toml: d 1 to 8, V 2 to 12, 1 to 16 responses of 1 to 32 tokens, numbers up to their limits."""
    d, actions = draw(st.integers(1, 8)), draw(st.integers(2, 12))
    many = draw(st.sampled_from([False, False, True]))
    lengths = draw(st.lists(st.integers(1, 32 if many else 4), min_size=1, max_size=16 if many else 4))
    options = {name: draw(st.booleans()) for name in ("behaviour", "outright", "mask")}
    seed = draw(st.integers(0, 2**32 - 1))
    text = rollout_text(d, actions, lengths, seed, **options)
    values = {key: draw(st.sampled_from(some)) for key, some in RANGES.items()}
    values["path"] = f'"{draw(st.sampled_from(["correct", "correct", *PATHS]))}"'
    return valued(scaled(text, draw(st.sampled_from([1.0, 1.0, 30.0, 700.0]))), values, Random(seed))


def refuse(name):
    raise AssertionError(f"{name} stands in a data file")


def gathered(folder, text, kl):
    """Return the whole content and material of a config, or None when it is refused with a reason."""
    try:
        config = config_from(folder, text)
        content = dataclasses.replace(
            shipped_content(), config=config, kl_config=KlConfig(shipped_kl_config().setup, kl)
        )
        return site.gather(content)
    except Problems as problems:
        assert problems.problems and all(all(problem.what) for problem in problems.problems)
        return None


def check_files(material):
    """Check that data files are sound: no NaN, the same ids everywhere, every value a number or a word for none."""
    text = export.numbers_json(material.registry, material.formulas, material.digest)
    numbers = json.loads(text, parse_constant=refuse)["numbers"]
    assert set(numbers) == set(material.registry)
    for name, number in numbers.items():
        value = number["value"]
        assert value is None or isinstance(value, (int, float)) or value in ("inf", "-inf", "nan") or name
        assert "nan" not in number["text"].lower().replace("undefined", "") or value == "nan", name
    export.numbers_csv(material.registry, material.formulas)
    export.numbers_tex(material.registry, material.digest)


def check_pages(content, material):
    """Check that every page renders in both languages, is sound, and shows the same numbers in both."""
    for name in CHANGING:
        shown = []
        for language in LANGUAGES:
            html = Page(
                material.subjects[name],
                language,
                material,
                environment(TEMPLATES),
                content.prose[name, language],
            ).render()
            shown.append(re.findall(r'data-number="([^"]+)"', html))
            assert not re.search(r">\s*(nan|NaN|None|inf)\s*<|Traceback", html), name
            if len(html) < SMALL:
                assert Document(html).faults == []
        assert shown[0] == shown[1]


def check_numbers(material):
    """Check the main page's numbers against numpy: a number wherever numpy has one, and the same."""
    subject = material.subjects["update"]
    if subject.settings["path"] != "correct":
        return 0
    with np.errstate(all="ignore"):
        expected = second_route(subject.setup, subject.settings)
    registry, compared = material.registry, 0
    size = max(1.0, float(np.nan_to_num(np.abs(expected["gradient"]), posinf=0.0).max()))
    largest = float(np.nan_to_num(expected["ratios"], nan=0.0, posinf=0.0).max())
    tame = size < 100 and largest < 100 and np.abs(np.nan_to_num(expected["W"])).max() < 1e3
    pairs = [("loss", expected["loss"]), ("kl", expected["kl"])]
    for name in ("gradient", "W", "W_next"):
        table = np.asarray(expected[name])
        pairs += [
            (f"{name}.{j}.{v}", table[j, v]) for j in range(table.shape[0]) for v in range(table.shape[1])
        ]
    for name, value in pairs:
        if name not in registry or not np.isfinite(value):
            continue
        found = registry[name].value
        assert found != "nan", name
        if tame and isinstance(found, (int, float)):
            assert found == pytest.approx(float(value), rel=EXACT, abs=EXACT * size), name
            compared += 1
    return compared


LARGEST = scaled(rollout_text(8, 12, [32] * 16, 5, behaviour=True, mask=True), 700.0)
SMALLEST = rollout_text(1, 2, [1], 6)


@settings(max_examples=2000 if FUZZ else 3, phases=PHASES)
@given(texts(), kl_cases())
@example(SMALLEST, None)
def test_a_config_is_built_and_verified_or_refused_with_a_reason(tmp_path_factory, text, kl):
    folder = tmp_path_factory.mktemp("config")
    found = gathered(folder, text, kl or shipped_kl_config().settings)
    if found is None:
        return
    content, material = found
    check_files(material)
    check_pages(content, material)
    check_numbers(material)


@pytest.mark.parametrize("beta", [0.0, 1e6] if FUZZ else [1e6])
def test_the_largest_shape_with_logits_in_the_hundreds(tmp_path, beta):
    changes = {"keep": 32, "beta": beta, "learning_rate": 1000.0}
    content, material = gathered(tmp_path, valued(LARGEST, changes, Random(1)), shipped_kl_config().settings)
    check_files(material)
    check_pages(content, material)
    check_numbers(material)
    assert len(material.subjects["update"].results["positions"]) == 16 * 33


@settings(max_examples=5000 if FUZZ else 40)
@given(texts())
def test_every_number_of_the_main_page_is_a_number_where_numpy_has_one(tmp_path_factory, text):
    try:
        config = config_from(tmp_path_factory.mktemp("config"), text)
    except Problems:
        return
    subject = site.update_page(config, shipped_content().faults)
    content = shipped_content()
    registry = site.register(subject, content.declarations, content.ignored, content.terms)
    material = dataclasses.replace(shipped_material(), subjects={"update": subject}, registry=registry)
    check_numbers(material)


def test_most_random_configs_are_valid_and_numbers_are_really_compared(tmp_path):
    content, compared, valid = shipped_content(), 0, 0
    for seed in range(12):
        text = rollout_text(1 + seed % 8, 2 + seed % 11, [1 + seed % 3, 2], seed)
        config = config_from(tmp_path / str(seed), text)
        subject = site.update_page(config, content.faults)
        registry = site.register(subject, content.declarations, content.ignored, content.terms)
        material = dataclasses.replace(shipped_material(), subjects={"update": subject}, registry=registry)
        valid += 1
        compared += check_numbers(material)
    assert valid == 12 and compared > 300
    broken = dataclasses.replace(registry["loss"], value=registry["loss"].value + 1e-6)
    with pytest.raises(AssertionError):
        check_numbers(dataclasses.replace(material, registry={**registry, "loss": broken}))
    with pytest.raises(AssertionError):
        broken = dataclasses.replace(registry["loss"], value="nan")
        check_numbers(dataclasses.replace(material, registry={**registry, "loss": broken}))
