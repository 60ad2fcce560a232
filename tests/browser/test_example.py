"""The program of the chapter runs in the page: shown as it is in its file, changed, stopped, restored, offline."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.browser.chapter import FILE
from tests.browser.driving import LANGUAGES, until
from tests.browser_tools import LAUNCH_ARGS, chromium_path
from tests.content_tools import CONTENT
from tests.kl_states import word

pytestmark = pytest.mark.browser

PROGRAM = (CONTENT / "examples" / "kl_and_clipping.py").read_text(encoding="utf-8")
ENDLESS = "while True:\n    pass\n"
PRINTING = "while True:\n    print('x')\n"
MOST_SHOWN = 300_000  # characters of output: more would weigh on the page that holds them
QUICK = 1.0  # seconds in which a page answers that does not freeze
START_MS = 10_000  # in which a program starts; the page itself stops it after ten seconds


class Example:
    """The block with the program, on a page that is open."""

    def __init__(self, visit, language="en"):
        self.visit = visit
        self.page = visit.page
        self.language = language
        self.code, self.run_button, self.stop_button, self.reset_button = (
            self.page.locator(f"#example-{name}") for name in ("code", "run", "stop", "reset")
        )

    def start(self, program=None):
        """Start a program, or the one that stands there."""
        if program is not None:
            self.code.fill(program)
        self.run_button.click()
        return self

    def says(self, key, **values):
        """Wait for a message under the program."""
        text = word(f"example.{key}", self.language, **values)
        expect(self.page.locator("#example-status")).to_have_text(text, timeout=START_MS)
        return self

    @property
    def output(self):
        return self.page.locator("#example-output").inner_text()


@pytest.fixture(scope="module")
def pages(visiting):
    """Return the program's block in both languages, opened from disk."""
    with visiting(f"zh/{FILE}") as chinese, visiting(f"en/{FILE}") as english:
        yield {"zh": Example(chinese, "zh"), "en": Example(english)}
        for seen in (chinese, english):
            assert seen.complaints == []
            assert {url.partition(":")[0] for url in seen.requests} <= {"file", "data", "blob"}


@pytest.fixture
def example(pages):
    """Return the English block as it was at first."""
    block = pages["en"]
    block.reset_button.click()
    return block


@pytest.fixture(scope="module")
def built(visiting):
    """Return the output that the build wrote into the page."""
    with visiting(f"en/{FILE}", javascript=False) as seen:
        return seen.page.locator("#example-output").inner_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_program_and_output_are_there_to_read(visit, site, language, built):
    page = visit(f"{language}/{FILE}", javascript=False).page
    assert page.locator("#example-source").is_visible()
    assert page.locator("#example-source").evaluate("source => source.textContent") == PROGRAM
    assert built.rstrip().endswith("all assertions hold 断言全部成立") and "KL(p || q) = 0.192745" in built
    for selector in (".editor", "#example-code", "#example-run", "#example-stop"):
        assert page.locator(selector).is_hidden(), selector
    link = page.locator("#example a[download]").get_attribute("href")
    assert (site / language / link).read_text(encoding="utf-8") == PROGRAM


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_runs_to_the_output_of_the_build(pages, built, language):
    block = pages[language]
    assert block.code.input_value() == PROGRAM and not block.page.locator("#example-source").is_visible()
    assert block.page.locator("#example-output-title").inner_text() == word("example.built", language)
    block.start().says("done")
    assert block.output == built
    assert block.page.locator("#example-output-title").inner_text() == word("example.output", language)
    block.start().says("done")
    assert block.output == built  # not twice


def test_a_changed_program_runs(example):
    example.start(PROGRAM.replace("q = [0.8, 0.2], [0.5, 0.5]", "q = [0.8, 0.2], [0.25, 0.75]")).says("done")
    assert "KL(p || q) = 0.666169" in example.output
    example.start("x = 1").says("nothing")
    assert example.output.strip() == ""
    example.start("print('<b>n</b>', '中文')").says("done")
    assert example.output == "<b>n</b> 中文\n"


def test_a_last_line_without_an_end_is_shown(example):
    example.start("print('no end', end='')").says("done")
    assert example.output.strip() == "no end"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print('before')\nassert 1 == 2, 'one is not two'\n", "AssertionError: one is not two"),
        ("print('before')\nimport math\nmath.log(0)\n", "ValueError"),
        ("print(1)\nif x\n", "SyntaxError"),
    ],
)
def test_an_error_shows_its_message_and_its_line(example, program, said):
    example.start(program).says("failed")
    line = 1 + next(k for k, text in enumerate(program.splitlines()) if text in program.splitlines()[-1])
    assert said in example.output and f"line {line}" in example.output
    assert ("before" in example.output) == program.startswith("print('before')")
    assert example.run_button.is_enabled() and example.stop_button.is_hidden()


def test_a_failing_assertion_of_the_program_names_its_line(example):
    program = PROGRAM.replace("> 0.01", "> 0.1")
    line = 1 + next(k for k, text in enumerate(program.splitlines()) if "> 0.1" in text)
    example.start(program).says("failed")
    assert "AssertionError: the two directions differ" in example.output and f"line {line}," in example.output


def test_an_endless_program_is_stopped_by_the_button(example):
    example.start(ENDLESS).says("running")
    started = time.monotonic()
    assert example.run_button.is_disabled()
    example.stop_button.click()
    example.says("stopped")
    assert time.monotonic() - started < 2
    assert example.stop_button.is_hidden() and example.run_button.is_enabled()
    assert example.page.evaluate("document.activeElement.id") == "example-run"
    example.start("print(7)").says("done")
    assert example.output == "7\n"


def test_a_stopped_program_prints_no_more(example):
    example.start("while True:\n    print('x')\n    for _ in range(300000): pass\n")
    until(example.page, "document.getElementById('example-output').textContent.length > 4")
    example.stop_button.click()
    example.says("stopped")
    before = example.output
    example.page.wait_for_timeout(400)
    assert example.output == before


def test_an_endless_program_is_stopped_after_ten_seconds(visit):
    """The page's own clock is put forward: nobody waits here."""
    seen = visit(f"en/{FILE}", prepare=lambda context: context.clock.install())
    example = Example(seen).start(ENDLESS)
    example.says("running")
    seen.page.clock.fast_forward(9_000)
    example.says("running")
    seen.page.clock.fast_forward(2_000)
    example.says("too_long", seconds=10)
    assert example.stop_button.is_hidden() and example.run_button.is_enabled()


def test_an_endless_print_does_not_freeze_the_page(visit):
    example = Example(visit(f"en/{FILE}")).start(PRINTING)
    page = example.page
    for _ in range(6):
        started = time.monotonic()
        length = page.evaluate(
            """() => new Promise((done) => requestAnimationFrame(() =>
                done(document.getElementById("example-output").textContent.length)))"""
        )
        assert time.monotonic() - started < QUICK
        assert length < MOST_SHOWN
        page.wait_for_timeout(100)
    example.says("too_much")
    assert 0 < len(example.output) < MOST_SHOWN
    example.start("print(7)").says("done")
    assert example.output == "7\n"


def test_the_program_is_restored(example):
    example.start("print(1)").says("done")
    example.reset_button.click()
    assert example.code.input_value() == PROGRAM
    assert example.page.locator("#example-status").inner_text() == ""
    example.start().says("done")
    assert "all assertions hold" in example.output


def test_restoring_leaves_no_output_of_another_program(example):
    """What stands under the program is its output, or nothing."""
    example.start("print('of another program')").says("done")
    example.reset_button.click()
    assert "of another program" not in example.output


def test_by_keyboard_alone(example):
    keys = example.page.keyboard
    focused = "document.activeElement.id"
    example.code.focus()
    keys.press("Control+A")
    keys.type("while True: pass")
    keys.press("Tab")
    assert example.page.evaluate(focused) == "example-run"
    keys.press("Enter")
    example.says("running")
    assert example.page.evaluate(focused) in ("example-run", "example-stop")  # not lost
    for _ in range(2):
        if example.page.evaluate(focused) != "example-stop":
            keys.press("Tab")
    assert example.page.evaluate(focused) == "example-stop"
    keys.press("Space")
    example.says("stopped")
    assert example.page.evaluate(focused) == "example-run"
    keys.press("Tab")
    assert example.page.evaluate(focused) == "example-reset"
    keys.press("Enter")
    assert example.code.input_value() == PROGRAM
    keys.press("Shift+Tab")
    keys.press("Space")
    example.says("done")


def test_the_program_cannot_reach_the_page(example):
    example.start("import js\nprint(hasattr(js, 'document'), hasattr(js, 'localStorage'))").says("done")
    assert example.output == "False False\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_webassembly_it_says_so(browser, site, language):
    from tests.browser.conftest import visit_site

    flags = [*LAUNCH_ARGS, "--js-flags=--jitless"]
    chromium = browser.browser_type.launch(executable_path=chromium_path(), args=flags)
    try:
        with visit_site(chromium, site, f"{language}/{FILE}") as seen:
            assert seen.page.evaluate("typeof WebAssembly") == "undefined"
            example = Example(seen, language).start()
            example.says("unavailable")
            assert example.stop_button.is_hidden()
            assert seen.errors == []
    finally:
        chromium.close()


def test_without_the_files_of_the_engine_it_says_so(visit):
    seen = visit(
        f"en/{FILE}",
        prepare=lambda context: context.route("**/engine/wasm.js", lambda route: route.abort()),
    )
    Example(seen).start().says("unavailable")
    assert seen.errors == []
