"""The workflow that publishes the site: valid by GitHub's schema, and with no more rights than its jobs need."""

import re
import subprocess
import sys

import pytest
from ruamel.yaml import YAML

from tests.content_tools import ROOT

PATH = ROOT / ".github" / "workflows" / "pages.yml"
TEXT = PATH.read_text(encoding="utf-8")
FLOW = YAML(typ="safe", pure=True).load(TEXT)  # YAML 1.2, as GitHub reads it: "on" is a word
JOBS = FLOW["jobs"]
OFFICIAL = {"checkout", "setup-python", "configure-pages", "upload-pages-artifact", "deploy-pages"}


def by_schema(path):
    """Return what GitHub's schema, which the checker brings along, says of a workflow."""
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        str(path),
    ]
    return subprocess.run(command, capture_output=True, encoding="utf-8")


def test_it_is_valid_by_githubs_schema():
    done = by_schema(PATH)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("old", "new"), [("runs-on:", "run-on:"), ("pages: write", "pages: wrote"), ("jobs:", "job:")]
)
def test_the_schema_finds_mistakes(tmp_path, old, new):
    (tmp_path / "pages.yml").write_text(TEXT.replace(old, new), encoding="utf-8")
    assert by_schema(tmp_path / "pages.yml").returncode == 1


def steps(job):
    return JOBS[job]["steps"]


def test_every_step_uses_an_official_action_of_a_named_version_or_runs_something():
    for job in JOBS:
        for step in steps(job):
            assert ("uses" in step) != ("run" in step)
            if "uses" in step:
                owner, action, _ = re.fullmatch(r"(\w+)/([\w-]+)@v(\d+)", step["uses"]).groups()
                assert owner == "actions" and action in OFFICIAL


def test_what_expressions_name_is_there():
    for job in JOBS:
        text = repr(JOBS[job])
        ids = {step["id"] for step in steps(job) if "id" in step}
        assert set(re.findall(r"steps\.(\w+)\.", text)) <= ids
        needs = JOBS[job].get("needs", [])
        assert {needs} if isinstance(needs, str) else set(needs) <= set(JOBS)
    # An expression inside a command would be code; values come in by the environment.
    assert not [step for job in JOBS for step in steps(job) if "${{" in step.get("run", "")]


def test_pull_requests_are_tested_and_nothing_else():
    assert set(FLOW["on"]) == {"push", "pull_request", "workflow_dispatch"}
    assert (
        "if" not in JOBS["test"] and [step["run"] for step in steps("test") if "run" in step][-1] == ".ci/run"
    )
    assert "github.event_name != 'pull_request'" in JOBS["build"]["if"]
    assert JOBS["build"]["needs"] == "test" and JOBS["deploy"]["needs"] == "build"


def test_rights_are_the_least_and_only_one_deployment_runs():
    assert FLOW["permissions"] == {"contents": "read"} and "permissions" not in JOBS["test"]
    assert JOBS["build"]["permissions"] == {"contents": "read", "pages": "read"}
    assert JOBS["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert "secrets" not in TEXT and FLOW["concurrency"]["group"] == "pages-${{ github.ref }}"
    for job in JOBS:
        assert JOBS[job]["runs-on"] == "ubuntu-24.04" and JOBS[job]["timeout-minutes"] <= 60
        for step in steps(job):
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_it_builds_the_site_for_the_address_of_pages_and_uploads_it():
    verify, build = [step for step in steps("build") if "build.py" in step.get("run", "")]
    assert verify["run"] == "python build.py verify"  # before the build, which shows the outcome
    assert build["run"] == 'python build.py --strict --address "$ADDRESS"'
    assert build["env"]["ADDRESS"] == "${{ steps.pages.outputs.base_url }}"
    (upload,) = (step for step in steps("build") if "upload" in step.get("uses", ""))
    assert upload["with"]["path"] == "site"  # where build.py writes unless told otherwise
