"""Browsers for the tests, and a Chinese font: `python -m tests.browser_tools` makes sure that they are there."""

from __future__ import annotations

import functools
import os
import platform
import shutil
import subprocess
import sys

# The first is Chromium without a window around its pages: the same engine, a third faster here.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOX_NAMES = ("firefox-esr", "firefox")
PACKAGES = ("chromium-headless-shell", "chromium")  # Debian's, the better first; not every release has it
FONT = "fonts-wqy-microhei"
ANSWER_SECONDS = 30

LAUNCH_ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# In a process of its own: Playwright cannot be started where it already runs.
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


@functools.cache
def chromium_path() -> str:
    """Return the path of a Chromium: $RLPU_CHROMIUM, one on PATH, or Playwright's download; or raise."""
    found = find_chromium(Machine())
    if found is None:
        raise RuntimeError(f"no browser: run `{sys.executable} -m tests.browser_tools`, or set RLPU_CHROMIUM")
    return found


@functools.cache
def firefox_path() -> str:
    """Return the path of a Firefox: $RLPU_FIREFOX, or one on PATH; or raise."""
    found = find_firefox(Machine())
    if found is None:
        raise RuntimeError("no Firefox: install firefox-esr or firefox, or set RLPU_FIREFOX")
    return found


class Machine:
    """What this module asks of the machine, and may change on it."""

    def named_browser(self) -> str | None:
        """Return the browser that the environment names."""
        return os.environ.get("RLPU_CHROMIUM")

    def named_firefox(self) -> str | None:
        """Return the Firefox that the environment names."""
        return os.environ.get("RLPU_FIREFOX")

    def is_debian(self) -> bool:
        """Tell whether this is Debian, Ubuntu or another child of Debian, with apt-get."""
        try:
            system = platform.freedesktop_os_release()
        except OSError:
            return False
        names = {system.get("ID", ""), *system.get("ID_LIKE", "").split()}
        return "debian" in names and shutil.which("apt-get") is not None

    def is_root(self) -> bool:
        """Tell whether this process may change the system."""
        return hasattr(os, "geteuid") and os.geteuid() == 0

    def installed(self, name: str) -> str | None:
        """Return the path of a command."""
        return shutil.which(name)

    def playwrights_chromium(self) -> str | None:
        """Return the path of Playwright's own Chromium, if it was downloaded."""
        answer = self.output([sys.executable, "-c", ASK_PLAYWRIGHT])
        return answer.strip() if answer and os.path.exists(answer.strip()) else None

    def starts(self, browser: str) -> bool:
        """Tell whether a browser can run here: Ubuntu has a command that only asks for a snap package."""
        return self.output([browser, "--version"]) is not None

    def has_chinese_font(self) -> bool:
        """Tell whether Chinese can be shown; systems other than Linux come with a font."""
        return not sys.platform.startswith("linux") or bool(self.output(["fc-list", ":lang=zh"]))

    def output(self, command: list[str]) -> str | None:
        """Return what a command prints, or None if it fails."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None

    def run(self, command: list[str]) -> bool:
        """Run a command that may take long, without its output; tell whether it succeeded."""
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        try:
            done = subprocess.run(command, capture_output=True, env=environment)
        except OSError:
            return False
        return done.returncode == 0

    def say(self, line: str) -> None:
        """Print a line for the person at the terminal."""
        print(line, file=sys.stderr, flush=True)


def find_chromium(machine: Machine) -> str | None:
    """Return the path of a browser that starts."""
    named = machine.named_browser()
    if named:
        return named
    on_path = (machine.installed(name) for name in NAMES)
    for path in on_path:
        if path and machine.starts(path):
            return path
    path = machine.playwrights_chromium()
    return path if path and machine.starts(path) else None


def find_firefox(machine: Machine) -> str | None:
    """Return the path of a Firefox that starts. Playwright's own is another: it cannot be driven without it."""
    named = machine.named_firefox()
    if named:
        return named
    on_path = (machine.installed(name) for name in FIREFOX_NAMES)
    return next((path for path in on_path if path and machine.starts(path)), None)


def may_install(machine: Machine) -> bool:
    """Tell whether packages of the system may be installed: as root on Debian only."""
    return machine.is_root() and machine.is_debian()


def install_packages(machine: Machine, packages: list[str]) -> bool:
    """Install packages with apt-get, saying so."""
    machine.say(f"apt-get install {' '.join(packages)}")
    return machine.run(["apt-get", "update"]) and machine.run(["apt-get", "install", "-y", *packages])


def provide_browser(machine: Machine) -> bool:
    """Make sure that there is a browser; say in one line what would help if there is none."""
    if find_chromium(machine):
        return True
    for package in PACKAGES if may_install(machine) else ():
        if install_packages(machine, [package, FONT]) and find_chromium(machine):
            return True
    machine.say("playwright install chromium")
    downloaded = machine.run([sys.executable, "-m", "playwright", "install", "chromium"])
    if downloaded and find_chromium(machine):
        return True
    machine.say("No browser for the tests. This helps: " + helpful_command(machine, downloaded))
    return False


def provide_firefox(machine: Machine) -> None:
    """Make sure that there is a Firefox, or say that there is none: its tests then fail, the others do not."""
    if find_firefox(machine):
        return
    if may_install(machine) and install_packages(machine, ["firefox-esr"]) and find_firefox(machine):
        return
    machine.say("No Firefox: tests/browser/test_firefox.py needs one. Install Firefox, or set RLPU_FIREFOX.")


def helpful_command(machine: Machine, downloaded: bool) -> str:
    """Return the command that a person can run to have a browser."""
    sudo = "" if machine.is_root() else "sudo "
    if downloaded:  # but it does not start: libraries of the system are missing
        return f"{sudo}{sys.executable} -m playwright install-deps chromium"
    if machine.is_debian():
        return f"{sudo}apt-get install {PACKAGES[-1]} {FONT}"
    return f"{sys.executable} -m playwright install chromium"


def provide_font(machine: Machine) -> None:
    """Make sure that there is a Chinese font, or say that there is none: the tests do without."""
    if machine.has_chinese_font():
        return
    if may_install(machine) and install_packages(machine, [FONT]):
        return
    machine.say(f"No Chinese font: Chinese shows as boxes. On Debian and Ubuntu: sudo apt-get install {FONT}")


def main(machine: Machine) -> int:
    """Provide browsers and font: 0 when there is a browser, 1 when there is none."""
    if not provide_browser(machine):
        return 1
    provide_firefox(machine)
    provide_font(machine)
    return 0


if __name__ == "__main__":
    sys.exit(main(Machine()))
