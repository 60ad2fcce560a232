"""Stock Firefox, driven over WebDriver BiDi: a window, a page, and scripts run in it."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websocket

from tests.browser_tools import firefox_path

START_SECONDS = 60
# Nothing of a first start: no page of its own, no request to the outside.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.log.level": "Info",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


class Firefox:
    """A tab of a Firefox that is open."""

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(address, timeout=START_SECONDS, suppress_origin=True)
        self.numbers = itertools.count(1)
        self.logged: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.tab = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result; what the page logs meanwhile is kept."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] in ("error", "warn"):
                self.logged.append(str(answer["params"]["text"]))
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def open(self, address: str) -> None:
        """Go to an address and wait until it is loaded."""
        self.send("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return what an expression gives, promises awaited; it goes through JSON."""
        found = self.send(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))",
            target={"context": self.tab},
            awaitPromise=True,
        )
        if found["type"] != "success":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])


@contextmanager
def firefox(**preferences: bool | int | str) -> Iterator[Firefox]:
    """Start a Firefox with a profile of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [
            f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in (PREFERENCES | preferences).items()
        ]
        (Path(profile) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [
            firefox_path(),
            "--headless",
            "--no-remote",
            "--profile",
            profile,
            "--remote-debugging-port",
            "0",
        ]
        said = (
            Path(profile) / "said"
        )  # a file, not a pipe, which a talkative Firefox would fill and then wait
        with said.open("wb") as stream:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stream)
        try:
            browser = Firefox(f"{listening(process, said)}/session")
            yield browser
            browser.socket.close()
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def listening(process: subprocess.Popen[bytes], said: Path) -> str:
    """Return the address that a Firefox names once it listens. Raises RuntimeError when it ends, or never does."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        text = said.read_text("utf-8", "replace")
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)\s", text):
            return found[1]
        if process.poll() is not None:
            raise RuntimeError(f"Firefox ended before it listened: {text}")
        time.sleep(0.05)
    raise RuntimeError(f"Firefox did not listen within {START_SECONDS} s: {text}")
