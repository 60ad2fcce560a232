"""Whatever is done to the shipped rollout.toml: a config, or problems that say where and what; a whole site, or none.

HYPOTHESIS_PROFILE=fuzz tries thousands.
"""

import json
import re
import shutil

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compute.state import state
from publish.reading.problems import Problems
from publish.reading.toml_text import FULL_WIDTH
from publish.site import MARKER, build_site
from publish.update.config import Config
from tests.content_tools import CONFIG, SHIPPED, as_bytes, changed, config_from, content_with, files_of

NUMBER = re.compile(r"(?<![\w.#])-?\d+(\.\d+)?(?![\w.])")
INSERTED = "".join(FULL_WIDTH) + " \t\n\r\"'#=[]{}.,-+_e0\\\0\ufeff\u2028é中a"
EXTREME = [
    *(
        "0",
        "-0.0",
        "1",
        "-1",
        "1e6",
        "-1e6",
        "1e-300",
        "1e308",
        "1e400",
        "nan",
        "-inf",
        "1_000",
        "0x1f",
        "0.1.2",
        "１",
    ),
    *(
        "true",
        '"1"',
        "''",
        "[]",
        "{}",
        "[[[1]]]",
        "9" * 400,
        "9" * 5000,
        f"[0x{'f' * 5000}]",
        "2026-11-30",
        "07:32:00",
    ),
]
VALID = ["0", "1", "-1", "0.5", "350", "-700", "1e6", "-1e6", "1e-300"]  # in range in most places
numbers = (
    st.sampled_from(EXTREME)
    | st.sampled_from(VALID)
    | st.floats(-1e6, 1e6).map(repr)
    | st.integers(-40, 40).map(str)
)

FULL = changed(SHIPPED, "[update]", "behaviour = [[0.25, -0.25, 0.15], [-0.15, 0.45, -0.35]]\n[update]")
FULL = changed(FULL, "= [1, 2]\n", "= [1, 2]\nmask = [1, 0]\nfeatures = [[1.5, 0.25], [0.75, -0.5]]\n")


@st.composite
def spoiled(draw, ways):
    """The shipped file, or one that gives all that is optional, after one to four changes of some ways."""
    text = draw(st.sampled_from([SHIPPED, FULL]))
    for way in draw(st.lists(st.sampled_from(ways), min_size=1, max_size=4)):
        text = way(draw, text)
    return text.encode("utf-8")


@st.composite
def extreme(draw):
    """A file with some numbers changed to large, small and equal ones that are mostly in range."""
    text = draw(st.sampled_from([SHIPPED, FULL]))
    for start, end in sorted(
        draw(st.sets(st.sampled_from(VALUES[text]), min_size=1, max_size=9)), reverse=True
    ):
        text = text[:start] + draw(st.sampled_from(VALID)) + text[end:]
    return text.encode("utf-8")


VALUES = {
    text: [
        m.span() for m in NUMBER.finditer(text) if "#" not in text[text.rfind("\n", 0, m.start()) : m.start()]
    ]
    for text in (SHIPPED, FULL)
}


def number(draw, text):
    """Change one number, to an extreme one or any."""
    if not (spans := [match.span() for match in NUMBER.finditer(text)]):
        return text
    start, end = draw(st.sampled_from(spans))
    return text[:start] + draw(numbers) + text[end:]


def lines(draw, text):
    """Delete, double or swap lines."""
    rows = text.splitlines(keepends=True) or [""]
    one, other = draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(rows) - 1))
    change = draw(st.sampled_from(["delete", "double", "swap"]))
    if change == "swap":
        rows[one], rows[other] = rows[other], rows[one]
    rows[one : one + 1] = [rows[one]] * {"delete": 0, "double": 2, "swap": 1}[change]
    return "".join(rows)


def characters(draw, text):
    """Delete some characters, insert some, or cut the file off."""
    place = draw(st.integers(0, len(text)))
    change = draw(st.sampled_from(["delete", "insert", "cut"]))
    if change == "cut":
        return text[:place]
    if change == "insert":
        return text[:place] + draw(st.text(INSERTED, min_size=1, max_size=4)) + text[place:]
    return text[:place] + text[place + draw(st.integers(1, 30)) :]


def check_problems(problems):
    """Check that each problem says where and what, in both languages, and that the report is a line for each."""
    assert problems
    for problem in problems:
        assert problem.file.endswith(CONFIG) and (problem.line is None or problem.line >= 1)
        assert problem.what[0] and problem.what[1]
    report = str(Problems(problems)).split("\n")
    assert len(report) == len(problems) and max(map(len, report)) < 1000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return content_with(tmp_path_factory.mktemp("spoiled") / "content", {})


@settings(max_examples=6 * settings.default.max_examples)
@given(spoiled([number, lines, characters]))
def test_text_is_a_config_or_has_problems(folder, raw):
    try:
        config = config_from(folder, raw)
    except Problems as found:
        check_problems(found.problems)
    else:
        assert isinstance(config, Config)


@given(spoiled([characters]), st.integers(0, 5000), st.binary(min_size=1, max_size=4))
@example(as_bytes(SHIPPED), 0, b"\xef\xbb\xbf")
def test_bytes_are_a_config_or_have_problems(folder, raw, place, inserted):
    test_text_is_a_config_or_has_problems.hypothesis.inner_test(folder, raw[:place] + inserted + raw[place:])


@given(extreme(), st.sampled_from(["beta", "learning_rate"]), st.floats(0, 1e308, exclude_min=True))
def test_any_config_has_a_state(folder, raw, key, value):
    try:
        config = config_from(folder, raw)
    except Problems:
        return
    json.dumps(state(config.setup, {**config.settings, key: value}), allow_nan=False)


@pytest.fixture(scope="module")
def good_site(folder, tmp_path_factory):
    """The last good site: of the shipped config."""
    (folder / CONFIG).write_bytes(SHIPPED.encode("utf-8"))
    return build_site(folder, tmp_path_factory.mktemp("good") / "site").parent


@settings(max_examples=settings.default.max_examples // 3)
@given(extreme() | spoiled([number, lines, characters]))
@example(as_bytes(changed(FULL, "0.25, -0.25", "1e6, -1e6")))  # infinite ratios, undefined parameters
def test_the_site_is_whole_or_untouched(folder, good_site, tmp_path_factory, raw):
    out = tmp_path_factory.mktemp("out") / "site"
    shutil.copytree(good_site, out)
    whole = files_of(out)
    (folder / CONFIG).write_bytes(raw)
    try:
        build_site(folder, out)
    except Problems as found:
        check_problems(found.problems)
        assert files_of(out) == whole
    else:
        assert files_of(out).keys() == whole.keys()
        json.loads((out / MARKER).read_bytes())
    assert [path.name for path in out.parent.iterdir()] == ["site"]
