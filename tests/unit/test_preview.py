"""Pages that are open come early, and are what the whole build then writes."""

import pytest

from publish.reading.folder import Layered
from publish.reading.memory import Memory
from publish.serving.preview import Preview
from publish.site import MAKERS
from tests.content_tools import CONFIG, CONTENT, SHIPPED, changed, problems_of

ENGLISH = "pages/kl-and-clipping.en.md"


@pytest.fixture(scope="module")
def preview(tmp_path_factory):
    """Return a preview of a course, once built."""
    folder = tmp_path_factory.mktemp("preview")
    (folder / "mine" / "config").mkdir(parents=True)
    (folder / "mine" / "pages").mkdir()
    preview = Preview(Layered(folder / "mine"), folder / "site")
    assert preview.early(["en/update.html"]) == {}, "nothing is known before the first build"
    preview.whole()
    return preview


def test_early_pages_are_those_of_the_whole_build(preview):
    mine, site = preview.content.course, preview.out
    text = (CONTENT / ENGLISH).read_text("utf-8")
    (mine / CONFIG).write_text(changed(SHIPPED, "learning_rate = 0.3", "learning_rate = 0.35"), "utf-8")
    (mine / ENGLISH).write_text(changed(text, "{#top}\n# ", "{#top}\n# New "), "utf-8")
    before = {path: path.read_bytes() for path in site.rglob("*.html")}
    opened = ["en/update.html", "zh/update.html", "en/kl-and-clipping.html", "en/nowhere.html"]
    early = preview.early(opened)
    assert before == {path: path.read_bytes() for path in site.rglob("*.html")}, "the site is as it was"
    assert set(opened[:3]) <= early.keys() and b'value="0.35"' in early["en/update.html"]
    assert b"New " in early["en/kl-and-clipping.html"] and "en/nowhere.html" not in early
    assert any(name.startswith("data/") for name in early)
    preview.whole()
    assert {name: (site / name).read_bytes() for name in early} == early
    # Every script of the site: one that comes later would make browsers load their page a second time.
    scripts = {f"assets/js/{path.name}" for path in (site / "assets" / "js").iterdir()}
    assert scripts == {name for name in early if name.startswith("assets/js/")}
    (mine / CONFIG).unlink()
    (mine / ENGLISH).unlink()


def test_an_early_page_with_a_mistake_is_none(preview):
    (preview.content.course / CONFIG).write_text(changed(SHIPPED, '"token"', '"tokem"'), "utf-8")
    for action in (lambda: preview.early(["en/update.html"]), preview.whole):
        (problem,) = problems_of(action)
        assert problem.key == "controls.normalization"
    assert preview.early([]) == {}
    (preview.content.course / CONFIG).unlink()


def test_building_again_gives_the_same_site(preview):
    """What is kept from build to build is not changed by a build."""
    preview.whole()
    first = {path: path.read_bytes() for path in preview.out.rglob("*") if path.is_file()}
    preview.early([f"{language}/{name}.html" for name in MAKERS for language in ("zh", "en")])
    preview.whole()
    assert first == {path: path.read_bytes() for path in preview.out.rglob("*") if path.is_file()}


def test_memory_makes_a_thing_anew_only_when_its_inputs_changed():
    memory, made = Memory(), []

    def make():
        made.append(len(made))
        return made[-1]

    found = [memory.recall("a", inputs, make) for inputs in ((b"1",), (b"1",), (b"2",), (b"1",))]
    assert found == [0, 0, 1, 2] and memory.recall("b", (b"1",), make) == 3
    with pytest.raises(ZeroDivisionError):
        memory.recall("a", (b"3",), lambda: 1 / 0)
    assert memory.recall("a", (b"1",), make) == 2, "a failure is not kept, and forgets nothing"
