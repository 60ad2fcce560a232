"""publish/commands/verify.py and `build.py verify`: the table, the mismatches, the exit code."""

import pytest

import build
from publish.commands.verify import report
from publish.verifying import routes, verification
from publish.verifying.routes import Route
from tests.content_tools import shipped_content, shipped_material

LACKS = ("PyTorch is not installed", "未安装 PyTorch")


def fake(monkeypatch, off=0.0):
    """Two routes: one gives the loss, moved a little; the other cannot be gone."""
    loss = shipped_material().registry["loss"].value
    both = (
        Route("fifty", 1e-9, lambda content: None, lambda content: iter([{"loss": loss + off}])),
        Route("autograd", 1e-9, lambda content: LACKS, lambda content: iter([])),
    )
    monkeypatch.setattr(routes, "ROUTES", both)
    return both


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def test_everything_agrees(monkeypatch):
    text = report(verification.record_of(shipped_content(), shipped_material(), fake(monkeypatch)))
    lines = text.splitlines()
    assert lines[0].split()[:2] == ["route", "numbers"]
    assert lines[1].split()[:2] == ["fifty", "1"] and "skipped: PyTorch is not installed" in lines[2]
    assert "1 were computed again (0 of them by two routes or more)" in text
    assert "1 texts compared with more digits, 0 wrong" in text
    assert lines[-1] == "Everything agrees. A build now shows it."
    assert any(line.split()[:2] == ["trl", "27"] for line in lines)


def test_what_differs_is_listed(monkeypatch):
    record = verification.record_of(shipped_content(), shipped_material(), fake(monkeypatch, off=1e-3))
    lines = report(record).splitlines()
    assert "1 differences are not allowed:" in lines
    assert lines[-2].startswith("loss: ") and "by fifty" in lines[-2]
    assert lines[-1] == "loss: the digits shown are not right"


def test_in_chinese(monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    text = report(verification.record_of(shipped_content(), shipped_material(), fake(monkeypatch)))
    assert "跳过：未安装 PyTorch" in text and "全部相符" in text


@pytest.mark.parametrize(("off", "code"), [(0.0, 0), (1e-3, 1)])
def test_the_exit_code(monkeypatch, tmp_path, capsys, off, code):
    both = fake(monkeypatch, off)
    kept = verification.verify
    monkeypatch.setattr(
        verification,
        "verify",
        lambda content, material, begins: kept(content, material, both, tmp_path, begins),
    )
    assert build.main(["verify"]) == code
    said = capsys.readouterr()
    assert said.err.splitlines() == ["fifty …", "autograd …"] and "fifty" in said.out


def test_a_mistake_in_the_config(tmp_path, capsys):
    assert build.main(["verify", "--content", str(tmp_path / "nowhere")]) == 2
    assert "Traceback" not in capsys.readouterr().err
