"""content/config/kl_and_clipping.toml: every mistake is named with file, line, key, what was found, what is allowed.

CASES is a table: what is changed in the shipped file, and what has to be said of it. Add a line for a new case.
"""

import pytest

from compute.chain_rule import LARGEST_BINARY_KL
from compute.kl_chapter import chapter
from publish.kl.config import KlConfig, load_kl_config
from publish.kl.settings import KEYS
from tests.content_tools import CONTENT, KL_CONFIG, as_bytes, changed, line_of, problems_of, shipped_kl_config
from tests.mistakes import assert_named, each_of, spoiled

SHIPPED = (CONTENT / KL_CONFIG).read_text(encoding="utf-8")
SIZES = "sizes = [1, 2, 4, 8, 16, 64] "
SECOND = "second_kl = [0.0, 0.5]"
POINT = "point = { ratio = 1.4, advantage = -2.0 }"
FIRST_CASE = "    { ratio = 1.4, advantage = 2.0 },\n"
TOO_MUCH = repr(LARGEST_BINARY_KL + 1e-9)


def config_from(folder, text):
    (folder / "config").mkdir(parents=True, exist_ok=True)
    (folder / KL_CONFIG).write_bytes(as_bytes(text))
    return load_kl_config(folder)


CASES = [
    ("probability above 1", "current = 0.8\nreference = 0.5\nrew", "current = 1.01\nreference = 0.5\nrew",
     "paths.current", "found 1.01; allowed: a number from 0 to 1"),
    ("negative probability", "reference = 0.5\nrew", "reference = -0.1\nrew", "paths.reference",
     "found -0.1; allowed: a number from 0 to 1"),
    ("nan", "beta = 0.1 ", "beta = nan ", "paths.beta", "found nan; allowed: a number from 0 to 1e6"),
    ("infinite", "beta = 0.1 ", "beta = inf ", "paths.beta", "found inf"),
    ("negative beta", "beta = 0.1 ", "beta = -0.1 ", "paths.beta", "found -0.1"),
    ("beta beyond", "beta = 0.1 ", "beta = 1000000.5 ", "paths.beta", "found 1000000.5"),
    ("quoted number", "beta = 0.1 ", 'beta = "0.1" ', "paths.beta", 'found "0.1" | without quotation marks'),
    ("true", "beta = 0.1 ", "beta = true ", "paths.beta", "found true"),
    ("one reward", "rewards = [1, 0]", "rewards = [1]", "paths.rewards", "found [1]; allowed: two numbers"),
    ("three rewards", "rewards = [1, 0]", "rewards = [1, 0, 0]", "paths.rewards", "found [1, 0, 0]"),
    ("reward beyond", "rewards = [1, 0]", "rewards = [1, 1000001]", "paths.rewards.1", "found 1000001 | one per path"),
    ("word for a reward", "rewards = [1, 0]", 'rewards = [1, "0"]', "paths.rewards.1", 'found "0"'),
    ("number for rewards", "rewards = [1, 0]", "rewards = 1 ", "paths.rewards", "found 1; allowed: two"),
    ("no group", SIZES, "sizes = [] ", "groups.sizes", "found []; allowed: 1 to 12 different whole numbers"),
    ("thirteen groups", SIZES, f"sizes = {list(range(1, 14))} ", "groups.sizes", "allowed: 1 to 12 different"),
    ("group of none", SIZES, "sizes = [1, 0] ", "groups.sizes.1", "found 0 | from 1 to 64"),
    ("group too large", SIZES, "sizes = [1, 65] ", "groups.sizes.1", "found 65 | from 1 to 64"),
    ("half a sample", SIZES, "sizes = [1.5] ", "groups.sizes.0", "found 1.5"),
    ("group twice", SIZES, "sizes = [1, 2, 4, 2] ", "groups.sizes.3", "found 2 twice; allowed: each once"),
    ("shown 0", "shown = 4 ", "shown = 0 ", "groups.shown", "found 0; allowed: a whole number from 1 to 64"),
    ("shown 65", "shown = 4 ", "shown = 65 ", "groups.shown", "found 65"),
    ("epsilon 0", "clip_epsilon = 0.2", "clip_epsilon = 0 ", "clip.clip_epsilon", "found 0; allowed: a number above 0"),
    ("epsilon 1", "clip_epsilon = 0.2", "clip_epsilon = 1 ", "clip.clip_epsilon", "found 1 | below 1"),
    ("ratio beyond", POINT, "point = { ratio = 100.5, advantage = -2.0 }", "clip.point.ratio",
     "found 100.5; allowed: a number from 0 to 100"),
    ("negative ratio", POINT, "point = { ratio = -1, advantage = -2.0 }", "clip.point.ratio", "found -1"),
    ("advantage beyond", POINT, "point = { ratio = 1, advantage = -1000001.0 }", "clip.point.advantage",
     "found -1000001.0; allowed: a number from -1e6 to 1e6"),
    ("point without advantage", POINT, "point = { ratio = 1.4 }", "clip.point.advantage", "missing; allowed: a number"),
    ("point with more", POINT, "point = { ratio = 1.4, advantage = 1, ratoi = 2 }", "clip.point.ratoi",
     'unknown key; allowed here: ratio, advantage | did you mean "ratio"?'),
    ("number for the point", POINT, "point = 5", "clip.point", "found 5; allowed: { ratio = …, advantage = … }"),
    ("no case", SHIPPED[SHIPPED.index("cases = [") : SHIPPED.index("# Equal")], "cases = []\n", "clip.cases",
     "found []; allowed: 1 to 12 entries"),
    ("thirteen cases", FIRST_CASE, FIRST_CASE * 11 + "@ cases = [", "clip.cases", "allowed: 1 to 12 entries"),
    ("wrong case", FIRST_CASE, "    { ratio = 1.4, advantage = true },\n", "clip.cases.0.advantage", "found true"),
    ("case without ratio", FIRST_CASE, "    { advantage = 2.0 },\n", "clip.cases.0.ratio", "missing"),
    ("token ratio 0", "ratio = 1.1", "ratio = 0.0 ", "tokens.ratio",
     "found 0.0; allowed: a number above 0, at most 100"),
    ("token ratio beyond", "ratio = 1.1", "ratio = 101 ", "tokens.ratio", "found 101"),
    ("length 0", "length = 10", "length = 0 ", "tokens.length", "found 0; allowed: a whole number from 1 to 64"),
    ("length 65", "length = 10", "length = 65 ", "tokens.length", "found 65"),
    ("length 1.0", "length = 10", "length = 1.0 ", "tokens.length", "found 1.0"),
    ("tree probability", "current = 0.8\nreference = 0.5\nsec", "current = 2\nreference = 0.5\nsec", "tree.current",
     "found 2; allowed: a number from 0 to 1"),
    ("tree reference", "reference = 0.5\nsecond", "reference = -1e-9\nsecond", "tree.reference", "found -1e-09"),
    ("one second KL", SECOND, "second_kl = [0.0]", "tree.second_kl",
     "found [0.0]; allowed: two numbers from 0 to log 2"),
    ("second KL beyond log 2", SECOND, f"second_kl = [0.0, {TOO_MUCH}]", "tree.second_kl.1", "log 2 (0.693147)"),
    ("negative second KL", SECOND, "second_kl = [-1e-9, 0.5]", "tree.second_kl.0", "found -1e-09"),
    ("one action", "vocabulary = 10 ", "vocabulary = 1 ", "cost.vocabulary", "found 1; allowed: a whole number from 2"),
    ("too many actions", "vocabulary = 10 ", "vocabulary = 200001 ", "cost.vocabulary", "found 200001 | to 200000"),
    ("longest 0", "longest = 8 ", "longest = 0 ", "cost.longest", "found 0; allowed: a whole number from 1 to 40"),
    ("longest 41", "longest = 8 ", "longest = 41 ", "cost.longest", "found 41"),
    ("batch 0", "batch = 64 ", "batch = 0 ", "cost.batch", "found 0; allowed: a whole number from 1 to 1e6"),
    ("batch beyond", "batch = 64 ", "batch = 1000001 ", "cost.batch", "found 1000001"),
    ("schema", "schema = 1", "schema = 2 ", "schema", "found 2; allowed: 1 (the only schema there is)"),
    ("no schema", "schema = 1\n", "@ # The cases", "schema", "missing; allowed: 1"),
    ("unknown key", "shown = 4 ", "show = 4 ", "groups.show", 'unknown key | allowed here: sizes, shown | "shown"'),
    ("missing key", "shown = 4 ", "# @ [groups]", "groups.shown", "missing; allowed: a whole number from 1 to 64"),
    ("unknown table", "[tokens]", "[token]", "token", 'unknown key | "tokens"'),
    ("missing table", "[cost]\nvocabulary = 10 ", "[tree2]\nvocabulary = 10 @ # The cases", "cost",
     "missing; allowed: a table [cost]"),
    ("full-width character", "beta = 0.1 ", "beta ＝ 0.1 ", "", "＝ → ="),
    ("key twice", "length = 10", "length = 10\nlength = 11@ length = 11", "", "length: given twice"),
    ("not TOML", "[tree]", "[tree", "", "not TOML"),
]  # fmt: skip


@each_of(CASES)
def test_mistake(tmp_path, old, new, key, says):
    text, line = spoiled(SHIPPED, old, new)
    problems = problems_of(config_from, tmp_path, text)
    mistake = next(problem for problem in problems if problem.key == key)
    assert_named(mistake, line, key, says)
    assert mistake.file == str(tmp_path / KL_CONFIG)


def test_the_cases_name_every_key():
    keys = {case[3].split(".0")[0] for case in CASES}
    named = {".".join(key.split(".")[:2]) for key in keys}
    assert {
        *("paths.current", "paths.reference", "paths.rewards", "paths.beta", "groups.sizes", "groups.shown"),
        *("clip.clip_epsilon", "clip.point", "clip.cases", "tokens.ratio", "tokens.length", "tree.current"),
        *("tree.reference", "tree.second_kl", "cost.vocabulary", "cost.longest", "cost.batch", "schema"),
    } <= named


def test_all_mistakes_at_once(tmp_path):
    text = changed(SHIPPED, SIZES, "sizes = [1, 1, 99] ")
    for old, new in (
        ("schema = 1", "schema = 3"),
        ("rewards = [1, 0]", "rewards = [1, nan]"),
        ("length = 10", "length = -10"),
        (SECOND, "second_kl = [1, 2]"),
        ("batch = 64 ", "batches = 64 "),
    ):
        text = changed(text, old, new)
    found = [(problem.line, problem.key) for problem in problems_of(config_from, tmp_path, text)]
    assert found == [
        (line_of(text, "schema = 3"), "schema"),
        (line_of(text, "rewards = "), "paths.rewards.1"),
        (line_of(text, "sizes = "), "groups.sizes.1"),
        (line_of(text, "sizes = "), "groups.sizes.2"),
        (line_of(text, "length = -10"), "tokens.length"),
        (line_of(text, "second_kl = "), "tree.second_kl.0"),
        (line_of(text, "second_kl = "), "tree.second_kl.1"),
        (line_of(text, "[cost]"), "cost.batch"),
        (line_of(text, "batches = "), "cost.batches"),
    ]


def test_a_group_that_stands_there_three_times_is_named_twice(tmp_path):
    text = changed(SHIPPED, SIZES, "sizes = [4, 4, 8, 4] ")
    found = problems_of(config_from, tmp_path, text)
    assert [problem.key for problem in found] == ["groups.sizes.1", "groups.sizes.3"]


@pytest.mark.parametrize("sizes", ["5", '"1"', "[[1], [1]]", "{a = 1}"])
def test_sizes_that_are_no_list_of_numbers(tmp_path, sizes):
    found = problems_of(config_from, tmp_path, changed(SHIPPED, SIZES, f"sizes = {sizes} "))
    assert found and {problem.key.split(".")[1] for problem in found} == {"sizes"}


def test_file_that_is_not_there(tmp_path):
    (problem,) = problems_of(load_kl_config, tmp_path)
    assert problem.file == str(tmp_path / KL_CONFIG) and problem.line is None
    assert problem.what[0].startswith("cannot be read (") and problem.what[1].startswith("无法读取（")


@pytest.mark.parametrize(("raw", "says"), [(b"", "empty"), (b"\xff\xfe\x00", "UTF-16"), (b"a\0", "binary")])
def test_file_without_text(tmp_path, raw, says):
    (problem,) = problems_of(config_from, tmp_path, raw)
    assert says in problem.what[0]


# The ends of what is allowed, each just inside; the state is there for all of them.
ALLOWED = [
    ("current = 0.8\nreference = 0.5\nrew", "current = 0\nreference = 1\nrew"),
    ("current = 0.8\nreference = 0.5\nrew", "current = 1\nreference = 0\nrew"),
    ("rewards = [1, 0]", "rewards = [-1e6, 1e6]"),
    ("beta = 0.1 ", "beta = 0 "),
    ("beta = 0.1 ", "beta = 1e6 "),
    (SIZES, "sizes = [64, 1] "),
    (SIZES, f"sizes = {list(range(1, 13))} "),
    ("shown = 4 ", "shown = 1 "),
    ("shown = 4 ", "shown = 64 "),
    ("clip_epsilon = 0.2", "clip_epsilon = 1e-12"),
    ("clip_epsilon = 0.2", "clip_epsilon = 0.999"),
    (POINT, "point = { ratio = 0, advantage = 1e6 }"),
    (POINT, "point = { ratio = 100, advantage = -1e6 }"),
    (FIRST_CASE, FIRST_CASE * 10),
    ("ratio = 1.1", "ratio = 1e-12"),
    ("ratio = 1.1", "ratio = 100"),
    ("length = 10", "length = 1"),
    ("length = 10", "length = 64"),
    ("current = 0.8\nreference = 0.5\nsec", "current = 1\nreference = 0\nsec"),
    (SECOND, f"second_kl = [0, {LARGEST_BINARY_KL!r}]"),
    ("vocabulary = 10 ", "vocabulary = 2 "),
    ("vocabulary = 10 ", "vocabulary = 200000 "),
    ("longest = 8 ", "longest = 1 "),
    ("longest = 8 ", "longest = 40 "),
    ("batch = 64 ", "batch = 1 "),
    ("batch = 64 ", "batch = 1000000 "),
]


@pytest.mark.parametrize(("old", "new"), ALLOWED)
def test_what_is_just_allowed(tmp_path, old, new):
    config = config_from(tmp_path, changed(SHIPPED, old, new))
    assert chapter(config.setup, config.settings)


def test_the_shipped_config():
    # The values of content/config/kl_and_clipping.toml.
    assert shipped_kl_config() == KlConfig(
        setup={
            "group_sizes": [1, 2, 4, 8, 16, 64],
            "cases": [
                {"ratio": 1.4, "advantage": 2.0},
                {"ratio": 0.6, "advantage": -2.0},
                {"ratio": 1.4, "advantage": -2.0},
            ],
            "longest": 8,
            "batch": 64,
        },
        settings={
            "p": 0.8,
            "q": 0.5,
            "rewards": [1.0, 0.0],
            "beta": 0.1,
            "n": 4,
            "ratio": 1.4,
            "advantage": -2.0,
            "clip_epsilon": 0.2,
            "token_ratio": 1.1,
            "length": 10,
            "tree_p": 0.8,
            "tree_q": 0.5,
            "tree_kl": [0.0, 0.5],
            "vocabulary": 10,
        },
    )


def test_settings_have_the_keys_of_the_url_in_their_order():
    assert list(shipped_kl_config().settings) == [key.name for key in KEYS]


def test_the_config_and_the_address_allow_the_same():
    """Every default is a value that the key takes, as JavaScript would write it into an address."""
    for key in KEYS:
        value = shipped_kl_config().settings[key.name]
        text = ",".join(map(repr, value)) if isinstance(value, list) else repr(value)
        assert key.check(text) == value
