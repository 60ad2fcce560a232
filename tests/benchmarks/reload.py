"""`build.py serve`: from the moment a config is saved to the repainted page with the new number, in Chromium."""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser_tools import LAUNCH_ARGS, chromium_path

ROOT = Path(__file__).resolve().parents[2]
RATES = ("0.31", "0.32", "0.33", "0.34", "0.35", "0.36", "0.37", "0.38", "0.39")
REST = 800  # ms of rest before an edit, after the whole site is built

# When the page that is shown was asked for, when it was painted, and when its scripts had run; seconds since the epoch.
PAINTED = """() => {
    const { timeOrigin } = performance;
    const [navigation] = performance.getEntriesByType("navigation");
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return [0, paint.startTime, navigation.domContentLoadedEventEnd].map((time) => (timeOrigin + time) / 1000);
}"""


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run() -> Iterator[str]:
    """Edit the learning rate nine times and time each reload; the yardstick is the same page reloaded by hand."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        config, site, port = Path(name) / "mine" / "config" / "rollout.toml", Path(name) / "site", free_port()
        config.parent.mkdir(parents=True)
        course = str(config.parent.parent)
        command = [sys.executable, "build.py", "serve", "--content", course, "--out", str(site)]
        server = subprocess.Popen(
            [*command, "--port", str(port)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        try:
            while "http" not in server.stdout.readline():
                pass
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_ARGS)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{port}/en/update.html")
            page.wait_for_timeout(REST)
            text = (ROOT / "content" / "config" / "rollout.toml").read_text(encoding="utf-8")
            asked, painted, ran, reloads = [], [], [], []
            for rate in RATES:
                saved = time.time()
                new = text.replace("learning_rate = 0.3", f"learning_rate = {rate}", 1)
                config.write_text(new, encoding="utf-8")
                page.wait_for_selector(
                    f'data[data-number="settings.learning_rate"][value="{rate}"]', state="attached"
                )
                while not server.stdout.readline().startswith("built in"):
                    pass
                page.wait_for_timeout(REST)
                times = [moment - saved for moment in page.evaluate(PAINTED)]
                for found, moment in zip((asked, painted, ran), times):
                    found.append(moment)
                started = time.time()
                page.reload()
                page.wait_for_timeout(REST)
                reloads.append(page.evaluate(PAINTED)[1] - started)
            browser.close()
        finally:
            server.terminate()
    yield (
        f"edit to repainted page: {min(painted):.2f} s at best, {statistics.median(painted):.2f} s at the median "
        f"(goal: 0.3 s); of it {min(asked):.2f} s until the page is asked for; its scripts have run after "
        f"{min(ran):.2f} s; {statistics.median(painted) / statistics.median(reloads):.1f} times a plain reload "
        f"({min(reloads):.2f} s at best, {statistics.median(reloads):.2f} s at the median)"
    )
