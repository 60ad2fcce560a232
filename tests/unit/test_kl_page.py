"""The chapter's page: its results, data files, and what its declarations, labels and blocks name."""

import json
import math
import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.kl_chapter import PAGE, chapter
from compute.kl_findings import CHAPTER_FINDINGS, findings
from publish.kl import page as kl_page
from publish.kl.charts import KL_FIGURES
from publish.kl.settings import KEYS
from publish.numbers.registry import leaves, register, shape_of
from publish.page.charts import figure_json
from publish.site import TEMPLATES, gather
from publish.words.language import LANGUAGES
from tests.content_tools import (
    CONTENT,
    KL,
    KL_CONFIG,
    changed,
    content_with,
    load_content,
    rows_of,
    shipped_content,
    shipped_kl_config,
    shipped_material,
    shipped_subject,
    shipped_word,
)
from tests.documents import Document, rendered

BLOCKS = {path.stem: path.read_text(encoding="utf-8") for path in (TEMPLATES / "blocks").glob("*.html")}
FILLED = {shape: entry for shape, entry in shipped_content().declarations.items() if entry.filled}
PLACE = re.compile(r"\{([^}]+)\}")


def page():
    return shipped_subject(KL)


def found():
    return page().results[KL]


def test_the_results_stand_under_the_pages_name():
    config = shipped_kl_config()
    assert KL == PAGE == page().name
    assert page().results == chapter(config.setup, config.settings)
    assert list(page().results) == [KL]


def test_the_page():
    config = shipped_kl_config()
    assert (page().setup, page().settings, page().keys) == (config.setup, config.settings, KEYS)
    assert page().figures is KL_FIGURES and page().core == "compute.kl_live"
    assert page().command == f"python build.py state --page {KL}"
    assert page().file.format(lang="en") == f"{KL}-en"
    assert page().positions == [] and page().live == {}


def test_scripts_are_there_and_in_order():
    scripts = page().all_scripts()
    assert [name for name in scripts if not (TEMPLATES / "assets" / "js" / f"{name}.js").is_file()] == []
    order = ("page", "charts", "live", "chapter", "example", "cards")
    assert [name for name in scripts if name in order] == list(order)


def test_findings_say_of_the_pages_results_what_the_core_says():
    assert page().findings.keys() == CHAPTER_FINDINGS.keys()
    said = {name: finding(page().results) for name, finding in page().findings.items()}
    assert said == findings(page().results)


def test_sentences_named_anywhere_are_findings_and_every_finding_is_said():
    named = {
        reference.name
        for (name, _), prose in shipped_content().prose.items()
        if name == KL
        for reference in prose.references()
        if reference.kind == "sentence"
    }
    in_blocks = {
        name
        for block in BLOCKS
        if block.startswith("kl-")
        for name in re.findall(r'\bs\("([\w-]+)"\)', BLOCKS[block])
    }
    assert named | in_blocks == CHAPTER_FINDINGS.keys()


def floats(text):
    return [[float(cell) for cell in row] for row in rows_of(text)[1:]]


def table(name):
    return page().files[f"{KL}-{name}.csv"]


def test_files():
    charts = ("objective", "group", "clip", "tokens", "cost")
    assert list(page().files) == [*(f"{KL}-{chart}.csv" for chart in charts), "kl_and_clipping.py"]
    assert page().files["kl_and_clipping.py"] == shipped_content().example.source
    assert kl_page.files(found()) == {name: page().files[name] for name in list(page().files)[:-1]}


def test_the_curve_is_the_results():
    curve = found()["curve"]
    assert rows_of(table("objective"))[0] == ["p", "expected_reward", "objective"]
    rows = floats(table("objective"))
    assert rows == [list(row) for row in zip(curve["p"], curve["reward"], curve["objective"], strict=True)]
    assert len(rows) == 51  # p = 0, 0.02 ... 1


def test_the_group_is_the_results():
    outcomes = found()["group"]["outcomes"]
    assert rows_of(table("group"))[0] == ["count", "mean", "probability"]
    assert floats(table("group")) == [[o["count"], o["mean"], o["probability"]] for o in outcomes]
    assert len(outcomes) == 5  # none to all of 4 samples are path 1


def test_the_clip_map_is_the_results():
    header, *rows = rows_of(table("clip"))
    points = [*found()["clip"]["cases"], found()["clip"]["point"]]
    assert header == [
        "ratio",
        "advantage",
        "unclipped",
        "clipped_term",
        "surrogate",
        "slope",
        "twin",
        "twin_slope",
    ]
    assert [[float(cell) for cell in row] for row in rows] == [[p[name] for name in header] for p in points]
    assert len(rows) == 4  # three cases, and the chosen point


def test_tokens_and_cost_are_the_results():
    assert rows_of(table("tokens"))[0] == ["length", "ratio"]
    assert floats(table("tokens")) == [[t["length"], t["ratio"]] for t in found()["tokens"]["by_length"]]
    header = rows_of(table("cost"))[0]
    assert header == ["length", "trajectories", "enumerated", "sampled"]
    assert floats(table("cost")) == [[item[name] for name in header] for item in found()["cost"]]


def test_infinite_values_stay_words_in_the_files():
    config = shipped_kl_config()
    results = chapter(config.setup, {**config.settings, "q": 0.0})[KL]
    objective = rows_of(kl_page.files(results)[f"{KL}-objective.csv"])
    # The reference never takes path 1: the objective is -inf for every p but 0; bare, that would be a formula.
    assert [row[2] for row in objective[2:]] == ["'-inf"] * 50 and objective[1][2] == "0.0"


def ids_in(template, number_id, shape):
    """Return the ids of a filled formula for one number: a * is the starred parts of its id, in order."""
    parts = [part for part, star in zip(number_id.split("."), shape.split("."), strict=True) if star == "*"]
    ids = []
    for name in PLACE.findall(template):
        stars = iter(parts)
        ids.append(".".join(next(stars) if part == "*" else part for part in name.split(".")))
    return ids


@cache
def shapes():
    content = shipped_content()
    return {
        number_id: shape_of(tuple(number_id.split(".")), content.declarations, content.ignored)
        for number_id in shipped_material().registry
    }


def with_shape(shape):
    return [number_id for number_id, its in shapes().items() if its == shape]


@pytest.mark.parametrize("shape", FILLED)
def test_every_id_in_a_filled_formula_is_registered(shape):
    numbers = with_shape(shape)
    assert numbers
    for number_id in numbers:
        ids = ids_in(FILLED[shape].filled, number_id, shape)
        assert [name for name in ids if name not in shipped_material().registry] == []
        assert ids[-1] == number_id, "a formula ends with the number itself"


ARITHMETIC = str.maketrans({"×": "*", "−": "-", "[": "(", "]": ")", "^": "**"})
SIDE = re.compile(r"log|exp|min|clip|[-0-9.e+*/(), ]")
FUNCTIONS = {
    "log": math.log,
    "exp": math.exp,
    "min": min,
    "clip": lambda w, low, high: min(max(w, low), high),
}
# No two inputs are equal here, and none is 0 or 1, so that a formula with the wrong number in it is false.
DISTINCT = {"p": 0.7, "q": 0.4, "rewards": [1.5, -0.25], "beta": 0.3, "n": 5, "ratio": 1.7, "advantage": 1.25}
DISTINCT |= {"clip_epsilon": 0.15, "token_ratio": 0.9, "length": 7, "tree_p": 0.6, "tree_q": 0.35}
DISTINCT |= {"tree_kl": [0.1, 0.45], "vocabulary": 13}


def computed(side):
    """Return the value of one side of a filled formula, None if it has names that are not computed here."""
    text = side.translate(ARITHMETIC)
    return None if SIDE.sub("", text) else eval(text, {"__builtins__": {}}, FUNCTIONS)


@cache
def registry_at(distinct):
    """Return the registry of the shipped state, or of the one whose inputs are all different."""
    config, content = shipped_kl_config(), shipped_content()
    results = chapter(config.setup, config.settings | (DISTINCT if distinct else {}))
    return register(replace(page(), results=results), content.declarations, content.ignored, content.terms)


def test_the_distinct_inputs_are_those_that_there_are():
    assert DISTINCT.keys() == shipped_kl_config().settings.keys()


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("shape", FILLED)
def test_filled_formulas_are_true(shape, distinct):
    """With full values put in, every side that is arithmetic has the value of the number."""
    registry = registry_at(distinct)
    for number_id in with_shape(shape):
        names = iter(ids_in(FILLED[shape].filled, number_id, shape))
        text = PLACE.sub(
            lambda match, names=names: f"({registry[next(names)].machine})", FILLED[shape].filled
        )
        values = [value for side in text.split(" = ") if (value := computed(side)) is not None]
        assert values[-1] == registry[number_id].value and len(values) >= 2, text
        assert values == pytest.approx([values[-1]] * len(values), rel=1e-9, abs=1e-12), text


def test_the_check_of_filled_formulas_can_fail():
    assert computed("log( (2.0) ) × (3) − (-1)") == pytest.approx(3 * math.log(2) + 1)
    assert computed("p log( p / q )") is None and computed("(10)^(3)") == 1000


@pytest.mark.parametrize("block", sorted(name for name in BLOCKS if name.startswith("kl-")))
def test_lists_and_rows_of_templates_name_registered_shapes(block):
    text, declared = BLOCKS[block], shipped_content().declarations
    lists = re.findall(r'data-list="\{\{ at \}\}([^"]+)"', text)
    rows = re.findall(r'row_number\("([^"]+)"\)', text)
    assert len(lists) == text.count("data-list=") and len(lists) == text.count("<template data-row>")
    for name in rows:
        shape = f"{KL}." + name.replace("@", "*")
        assert shape in declared and any(name.startswith(f"{items}.@.") for items in lists), name
    for items in lists:
        assert isinstance(at(items), list) and [name for name in rows if name.startswith(f"{items}.@.")]


def at(path):
    value = found()
    for part in path.split("."):
        value = value[part]
    return value


def test_labels_count_from_one():
    """{nth} is one more than the first starred part of the id."""
    declared, seen = shipped_content().declarations, set()
    for number_id, shape in shapes().items():
        entry = declared[shape]
        for language in LANGUAGES:
            template = entry.zh if language == "zh" else entry.en
            if "{nth}" in template:
                pairs = zip(number_id.split("."), shape.split("."), strict=True)
                starred = [part for part, star in pairs if star == "*"]
                expected = template.format(*starred, nth=int(starred[0]) + 1)
                assert shipped_material().registry[number_id].label[language] == expected, number_id
                seen.add(shape)
    assert {shape for shape in declared if shape.startswith(KL) and "{nth}" in declared[shape].en} <= seen
    label = shipped_material().registry[f"{KL}.paths.1.share"].label
    assert label["en"] == "part of path 2 in KL(p ‖ q), in nats"


def test_the_length_that_a_label_names_is_the_length():
    """cost.*.trajectories and tokens.by_length.*.ratio say {nth} for a length: the first is 1."""
    assert [item["length"] for item in found()["cost"]] == list(range(1, 9))
    lengths = [item["length"] for item in found()["tokens"]["by_length"]]
    assert lengths == list(range(1, found()["settings"]["length"] + 1))


OTHER = {
    "no shared support": [("current = 0.8\nreference = 0.5\nrew", "current = 0.8\nreference = 0\nrew")],
    "one path only": [("current = 0.8\nreference = 0.5\nrew", "current = 1\nreference = 1\nrew")],
    "the smallest": [("sizes = [1, 2, 4, 8, 16, 64]", "sizes = [1]"), ("longest = 8 ", "longest = 1 "),
                     ("shown = 4 ", "shown = 1 "), ("length = 10", "length = 1")],
    "the largest": [("sizes = [1, 2, 4, 8, 16, 64]", "sizes = [1,2,3,4,5,6,7,8,9,10,11,64]"),
                    ("length = 10", "length = 64"), ("longest = 8 ", "longest = 40 "), ("shown = 4 ", "shown = 64 "),
                    ("vocabulary = 10 ", "vocabulary = 200000 ")],
    "a ratio beyond floating point": [("ratio = 1.1", "ratio = 100"), ("length = 10", "length = 64")],
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER)
def test_pages_of_other_configs(tmp_path, name):
    text = (CONTENT / KL_CONFIG).read_text(encoding="utf-8")
    for old, new in OTHER[name]:
        text = changed(text, old, new)
    content, material = gather(load_content(content_with(tmp_path / "content", {KL_CONFIG: text})))
    pages = [Document(rendered(KL, language, content, material)) for language in LANGUAGES]
    shown = [sorted(e.attributes["data-number"] for e in one.numbers()) for one in pages]
    assert shown[0] == shown[1] and set(shown[0]) <= set(material.registry)
    for one in pages:
        assert one.faults == []
        for element in one.elements:
            if element.tag not in ("script", "code", "mo", "data"):
                words = " ".join([element.own, *(value or "" for value in element.attributes.values())])
                assert not re.search(r"[{}]|\b(None|nan|inf|Undefined)\b", words), words


@st.composite
def any_settings(draw):
    """A value for each key, within what it allows, the ends among them."""
    chosen = {}
    for key in KEYS:
        least = key.bounds.least if key.bounds.least is not None else 1e-300
        most = key.bounds.most if key.bounds.most is not None else 1 - 2**-53
        if key.kind == "whole":
            chosen[key.name] = draw(st.integers(int(least), key.most))
        else:
            number = st.sampled_from([least, most]) | st.floats(least, most).map(lambda value: value + 0.0)
            chosen[key.name] = (
                draw(st.lists(number, min_size=2, max_size=2)) if key.kind == "numbers" else draw(number)
            )
    return chosen


@given(any_settings())
def test_any_settings_have_a_state_with_sentences_and_charts(chosen):
    config = shipped_kl_config()
    results = chapter(config.setup, chosen)
    json.dumps(results, allow_nan=False)
    terms = shipped_content().terms
    for name, said in findings(results).items():
        assert said and all(f"sentence.{key}" in terms.texts for key, _ in said), name
    for figure in KL_FIGURES.values():
        figure_json(figure(results, shipped_word))
    assert [number_id for number_id in leaf_ids(results) if number_id is None] == []


def leaf_ids(results):
    """Yield each number's shape, None for one that is not declared."""
    content = shipped_content()
    return (shape_of(path, content.declarations, content.ignored) for path, _ in leaves(results))
