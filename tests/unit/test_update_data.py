"""The main page's own data files: its charts as CSV, its default state with the inputs, the PyTorch script."""

import json

from compute.state import state
from publish.update import data as update_data
from tests.content_tools import ROOT, rows_of, shipped_config, shipped_subject


def test_the_files():
    config, subject = shipped_config(), shipped_subject()
    files = update_data.files(config, subject.results)
    assert list(files) == ["curves.csv", "plateaus.csv", "update.json", "autograd.py"]
    assert files == subject.files
    assert files["autograd.py"] == (ROOT / "compute" / "checks" / "autograd.py").read_text(encoding="utf-8")
    assert files["update.json"] == update_data.state_document(config)


def test_curves_are_the_results():
    header, *rows = rows_of(update_data.curves_csv(shipped_subject().results))
    assert header == ["beta", "updates_done", "loss", "kl_nats", "clipped"]
    curves = shipped_subject().results["curves"]
    expected = [
        [repr(c["beta"]), str(n), repr(c["loss"][n]), repr(c["kl"][n]), repr(c["clipped"][n])]
        for c in curves
        for n in range(21)  # 20 updates are kept, and step 0
    ]
    assert rows == expected


def test_plateaus_are_the_results():
    results = shipped_subject().results
    header, *rows = rows_of(update_data.plateaus_csv(results))
    assert header == ["response", "position", "advantage", "ratio", "surrogate_over_abs_advantage", "clipped"]
    for row, point in zip(rows, results["plateaus"]["points"]):
        position = results["positions"][point["index"]]
        assert [float(cell) for cell in row] == [
            *(position["response"], position["position"], position["advantage"]),
            *(position["ratio"], position["surrogate"] / abs(position["advantage"]), position["is_clipped"]),
        ]
    assert len(rows) == 10  # ten tokens, none with A = 0


def test_state_document_holds_inputs_and_results():
    document = json.loads(update_data.state_document(shipped_config()))
    assert list(document) == ["setup", "settings", "state"]
    assert state(document["setup"], document["settings"]) == document["state"]
