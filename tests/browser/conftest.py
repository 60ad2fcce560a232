"""The built site in a browser, opened as readers open it; what it asks for and complains of is written down."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.driving import Driven, Live
from tests.browser_tools import LAUNCH_ARGS, chromium_path

ROOT = Path(__file__).resolve().parents[2]
HEIGHTS = {375: 812, 768: 1024, 1280: 800, 1440: 900}  # a phone, a tablet, a laptop, a desktop

# Goes through the page like a reader, then waits for what that started: every chart is drawn.
READ_THROUGH = """async () => {
    // A browser at times draws no frame, for whatever reason; a reader goes on.
    const frame = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 1000); });
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
        scrollTo({top: y, behavior: "instant"});
        await frame();
    }
    const plots = [...document.querySelectorAll(".plot")];
    for (let waited = 0; !plots.every((plot) => "drawn" in plot.dataset); waited += 20) {
        if (waited > 15000) throw new Error("a chart was not drawn");
        await new Promise((done) => setTimeout(done, 20));
    }
    scrollTo({top: 0, behavior: "instant"});
    await frame();
}"""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: opens the site in a browser")


@dataclass
class Visit:
    """A page that is open, and what happened in it."""

    page: Page
    address: str = ""
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def read_through(self) -> None:
        """Scroll through the whole page and back; afterwards all charts are drawn."""
        self.page.evaluate(READ_THROUGH)

    @property
    def complaints(self) -> list[str]:
        """Return what scripts threw, and what the console calls an error or a warning."""
        return self.errors + [text for text in self.console if text.startswith(("error", "warning"))]


Visiting = Callable[..., AbstractContextManager[Visit]]


def file_address(site: Path, file: str) -> str:
    """Return the file:// address of a file of a site; the file may have a query or an anchor."""
    name, mark, rest = file.partition("?") if "?" in file else file.partition("#")
    return (site / name).as_uri() + mark + rest


@contextmanager
def visit_site(
    browser: Browser,
    site: Path,
    file: str = "en/update.html",
    *,
    theme: str = "light",
    width: int = 1440,
    javascript: bool = True,
    motion: bool = False,
    locale: str = "en-GB",
    prepare: Callable[[BrowserContext], object] | None = None,
) -> Iterator[Visit]:
    """Open a file of the site. theme: what the system prefers; motion: False asks for reduced motion."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme=theme,
        java_script_enabled=javascript,
        reduced_motion="no-preference" if motion else "reduce",
        locale=locale,
    )
    context.set_default_timeout(15_000)
    if prepare:
        prepare(context)
    visit = Visit(context.new_page(), file_address(site, file).partition("#")[0])
    visit.page.on("request", lambda request: visit.requests.append(request.url))
    visit.page.on("console", lambda message: visit.console.append(f"{message.type}: {message.text}"))
    visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
    visit.page.goto(file_address(site, file))
    try:
        yield visit
    finally:
        context.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder of a fresh build, the same for all workers: who comes first makes it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "built" / "site"
    folder.parent.mkdir(exist_ok=True)
    with FileLock(folder.parent / "lock"):
        if not folder.exists():  # a build that fails leaves nothing
            subprocess.run([sys.executable, "build.py", "--out", str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return a browser. It ends with this package: Playwright cannot run twice in one process."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_ARGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def visiting(browser: Browser, site: Path) -> Visiting:
    """Return a function that opens a page for the time of a with block."""

    def open_for_a_while(file: str = "en/update.html", *, site: Path = site, **how) -> AbstractContextManager:
        return visit_site(browser, site, file, **how)

    return open_for_a_while


@pytest.fixture(scope="module")
def without_webassembly(browser: Browser, site: Path) -> Iterator[Visiting]:
    """Return a function that opens a page for the time of a with block, in a browser that has no WebAssembly."""
    flags = [*LAUNCH_ARGS, "--js-flags=--jitless"]
    chromium = browser.browser_type.launch(executable_path=chromium_path(), args=flags)

    @contextmanager
    def open_for_a_while(file: str) -> Iterator[Visit]:
        with visit_site(chromium, site, file) as seen:
            assert seen.page.evaluate("typeof WebAssembly") == "undefined"
            yield seen

    yield open_for_a_while
    chromium.close()


@pytest.fixture
def visit(visiting: Visiting) -> Iterator[Callable[..., Visit]]:
    """Return a function that opens a page until the test ends."""
    with ExitStack() as pages:
        yield lambda *file, **how: pages.enter_context(visiting(*file, **how))


@pytest.fixture(scope="module")
def open_pages(visiting: Visiting) -> Iterator[Callable[..., Driven]]:
    """Return a function that opens a page once for a module, and gives it again as if it were new."""
    with ExitStack() as stack:
        pages: dict[tuple, Driven] = {}

        def page_of(kind: type[Driven], language: str, **how) -> Driven:
            key = (kind, language, *sorted(how.items()))
            if key not in pages:
                pages[key] = kind(stack.enter_context(kind.open_in(visiting, language, **how)), language)
            return pages[key].afresh()

        yield page_of
        for page in pages.values():
            assert page.visit.complaints == []


@pytest.fixture
def live(open_pages):
    """Return a function that brings a page to a state; it is the main page, unless another kind of page is given.

    The tests of a module share it. Those that switch its theme, its language, its size or its medium, or that leave
    it, open one of their own with `visit`.
    """

    def live_page(*assignments, language="en", kind=Live, **how):
        return open_pages(kind, language, **how).go(*assignments)

    return live_page


@pytest.fixture
def newly_live(visit):
    """Return a function that opens a page at a state, for one test."""

    def live_page(*assignments, language="en", kind=Live, **how):
        seen = visit(f"{language}/{kind.file}#{'&'.join(['v=1', *assignments])}", **how)
        return kind(seen, language).wait(*assignments)

    return live_page
