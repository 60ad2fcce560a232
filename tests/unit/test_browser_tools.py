"""How a browser and a Chinese font for the tests are found or installed, on machines of every kind."""

import os
import subprocess
import sys

import pytest

from tests.browser_tools import FONT, Machine, chromium_path, find_chromium, find_firefox, main

APT_UPDATE = ["apt-get", "update"]
APT_BROWSER = ["apt-get", "install", "-y", "chromium-headless-shell", FONT]
APT_WHOLE_BROWSER = ["apt-get", "install", "-y", "chromium", FONT]
APT_FIREFOX = ["apt-get", "install", "-y", "firefox-esr"]
APT_FONT = ["apt-get", "install", "-y", FONT]
PLAYWRIGHT = [sys.executable, "-m", "playwright", "install", "chromium"]


class FakeMachine(Machine):
    """A machine with these browsers, that records what is run and said."""

    def __init__(
        self,
        *,
        root=False,
        debian=False,
        browsers=(),
        broken=(),
        font=True,
        fails=(),
        named=None,
        firefox=True,
    ):
        self.root = root
        self.debian = debian
        self.browsers = set(browsers)
        self.broken = set(broken)
        self.font = font
        self.fails = fails
        self.named = named
        self.firefox = firefox
        self.ran = []
        self.said = []

    def named_browser(self):
        return self.named

    def named_firefox(self):
        return "/opt/firefox" if self.firefox else None

    def is_debian(self):
        return self.debian

    def is_root(self):
        return self.root

    def installed(self, name):
        return f"/bin/{name}" if name in self.browsers else None

    def playwrights_chromium(self):
        return "/cache/playwright" if "playwright" in self.browsers else None

    def starts(self, browser):
        return os.path.basename(browser) not in self.broken

    def has_chinese_font(self):
        return self.font

    def run(self, command):
        self.ran.append(command)
        if command in self.fails:
            return False
        if command in (APT_BROWSER, APT_WHOLE_BROWSER):
            self.browsers.add(command[3])
        if command == APT_FIREFOX:
            self.browsers.add("firefox-esr")
        if command == PLAYWRIGHT:
            self.browsers.add("playwright")
        self.font = self.font or FONT in command
        return True

    def say(self, line):
        assert "\n" not in line
        self.said.append(line)


def test_an_installed_browser_is_used_and_nothing_is_run_or_said():
    for name in ("chromium-headless-shell", "chromium", "google-chrome", "playwright"):
        machine = FakeMachine(root=True, debian=True, browsers=[name])
        assert main(machine) == 0
        assert (machine.ran, machine.said) == ([], [])


def test_a_named_browser_comes_first():
    machine = FakeMachine(browsers=["chromium"], named="/opt/mine")
    assert find_chromium(machine) == "/opt/mine"


def test_a_browser_that_does_not_start_is_passed_over():
    machine = FakeMachine(browsers=["chromium", "google-chrome"], broken=["chromium"])
    assert find_chromium(machine) == "/bin/google-chrome"
    machine = FakeMachine(browsers=["chromium-browser", "playwright"], broken=["chromium-browser"])
    assert find_chromium(machine) == "/cache/playwright"


def test_root_on_debian_installs_browser_and_font_with_apt():
    machine = FakeMachine(root=True, debian=True, font=False)
    assert main(machine) == 0
    assert machine.ran == [APT_UPDATE, APT_BROWSER]
    assert machine.said == [f"apt-get install chromium-headless-shell {FONT}"]


def test_where_there_is_no_browser_without_a_window_the_whole_one_is_installed():
    machine = FakeMachine(root=True, debian=True, fails=[APT_BROWSER])
    assert main(machine) == 0
    assert machine.ran == [APT_UPDATE, APT_BROWSER, APT_UPDATE, APT_WHOLE_BROWSER]
    assert find_chromium(machine) == "/bin/chromium"


@pytest.mark.parametrize("fails", [[APT_UPDATE], [APT_BROWSER, APT_WHOLE_BROWSER]])
def test_playwright_downloads_where_apt_fails(fails):
    machine = FakeMachine(root=True, debian=True, fails=fails)
    assert main(machine) == 0
    assert machine.ran[-1] == PLAYWRIGHT


@pytest.mark.parametrize(("root", "debian"), [(False, True), (False, False), (True, False)])
def test_without_root_or_debian_the_system_is_not_touched(root, debian):
    machine = FakeMachine(root=root, debian=debian, font=False)
    assert main(machine) == 0
    assert machine.ran == [PLAYWRIGHT]
    assert machine.said[0] == "playwright install chromium"
    assert len(machine.said) == 2 and machine.said[1].startswith("No Chinese font")


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ({"debian": True}, f"sudo apt-get install chromium {FONT}"),
        ({"debian": True, "root": True}, f": apt-get install chromium {FONT}"),
        ({}, f"{sys.executable} -m playwright install chromium"),
    ],
)
def test_with_no_way_left_one_line_names_the_command_that_helps(kind, command):
    machine = FakeMachine(**kind, fails=[PLAYWRIGHT, APT_BROWSER, APT_WHOLE_BROWSER])
    assert main(machine) == 1
    assert machine.said[-1].startswith("No browser for the tests.") and machine.said[-1].endswith(command)
    assert sum("helps" in line for line in machine.said) == 1


def test_a_download_that_does_not_start_lacks_libraries():
    machine = FakeMachine(broken=["playwright"])
    assert main(machine) == 1
    assert machine.said[-1].endswith(f"sudo {sys.executable} -m playwright install-deps chromium")


def test_root_on_debian_installs_a_missing_font():
    machine = FakeMachine(root=True, debian=True, browsers=["chromium"], font=False)
    assert main(machine) == 0
    assert machine.ran == [APT_UPDATE, APT_FONT]
    assert machine.said == [f"apt-get install {FONT}"]


def test_a_missing_font_is_no_failure():
    for kind in ({}, {"root": True, "debian": True, "fails": [APT_FONT]}):
        machine = FakeMachine(browsers=["chromium"], font=False, **kind)
        assert main(machine) == 0
        assert machine.said[-1].startswith("No Chinese font")


def test_a_command_that_fails_or_is_missing_gives_no_output():
    machine = Machine()
    assert machine.output([sys.executable, "-c", "print('so')"]) == "so\n"
    assert machine.output([sys.executable, "-c", "import sys; sys.exit(3)"]) is None
    assert machine.output(["no-such-command-anywhere"]) is None
    assert machine.run(["no-such-command-anywhere"]) is False
    assert machine.run([sys.executable, "-c", "raise SystemExit(1)"]) is False


def test_this_machine_has_a_browser():
    """The tests need one; python -m tests.browser_tools provides it."""
    version = subprocess.run([chromium_path(), "--version"], capture_output=True, text=True)
    assert version.returncode == 0 and version.stdout.strip()


def test_root_on_debian_installs_firefox_too():
    machine = FakeMachine(root=True, debian=True, browsers=["chromium"], firefox=False)
    assert main(machine) == 0
    assert machine.ran == [APT_UPDATE, APT_FIREFOX]
    assert find_firefox(machine) == "/bin/firefox-esr"


def test_elsewhere_a_missing_firefox_is_said_in_one_line():
    for how in ({"debian": True}, {"root": True}, {}):
        machine = FakeMachine(browsers=["chromium"], firefox=False, **how)
        assert main(machine) == 0
        assert machine.ran == [] and len(machine.said) == 1 and "RLPU_FIREFOX" in machine.said[0]


def test_a_firefox_that_only_asks_for_a_package_is_passed_over():
    machine = FakeMachine(browsers=["firefox"], broken=["firefox"], firefox=False)
    assert find_firefox(machine) is None
