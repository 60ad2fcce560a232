"""Which check finds which mistake, of compute/path_checks.py: the whole table, and checks that see what they should."""

import json

import pytest

from compute.atlas import path_checks as module
from compute.atlas.path_checks import CHECKS, case_of, path_checks
from compute.paths import CORRECT, PATHS, but
from tests.configurations import random_setup, shipped_settings, shipped_setup

WRONG = [name for name in PATHS if name != "correct"]
# On the shipped configuration. Those not named see nothing of that path.
CAUGHT = {
    "correct": "",
    "clip-then-multiply": "value gradient corners",
    "min-before-advantage": "value gradient corners",
    "unclipped-averaged": "value gradient corners",
    "clip-to-epsilon": "value gradient corners",
    "ratio-always-one": "differences value gradient digest ratio-moves corners",
    "old-not-detached": "differences-held value gradient digest ratio-moves ascent corners",
    "old-is-reference": "value gradient ratio-starts corners",
    "reference-follows": "value gradient digest pull",
    "kl-subtracted": "value gradient pull",
    "kl-without-gradient": "differences differences-held gradient pull",
    "kl-k1-in-loss": "value gradient rest pull",
    "kl-k3-in-loss": "value gradient",
    "kl-k3-upside-down": "value gradient",
    "kl-reversed": "value gradient",
    "own-group": "value gradient reward-shift corners",
    "masked-in-denominator": "value gradient padding weights-sum weights-each",
    "mask-ignored": "value gradient mask padding weights-each corners",
    "mean-of-micro-batches": "value gradient weights-each",
    "other-normalization": "value gradient weights-each",
    "double-negation": "value gradient ascent corners",
    "product-ratio": "value gradient",
    "temperature-mismatch": "value gradient ratio-starts corners",
}


@pytest.fixture(scope="module")
def table():
    return path_checks(shipped_setup(), shipped_settings(), [2], [0.5])


def caught(row, worst=False):
    return " ".join(name for name, found in row.items() if (found["worst"] if worst else found)["caught"])


def test_what_catches_what(table):
    assert {path: caught(row) for path, row in table.items()} == CAUGHT
    # Whether k1 pulls the right way is chance: with two tokens of each response it does.
    elsewhere = {path: caught(row, worst=True) for path, row in table.items()}
    assert elsewhere == {**CAUGHT, "kl-k1-in-loss": "value gradient rest"}


def test_the_lesson_of_finite_differences(table):
    # A gradient that is the derivative of the wrong loss passes: nineteen of twenty-two mistakes do.
    found = [path for path in WRONG if "differences" in caught(table[path])]
    assert found == ["ratio-always-one", "old-not-detached", "kl-without-gradient"]
    for path in set(WRONG) - set(found):
        assert table[path]["differences"]["error"] < 1e-8 and table[path]["gradient"]["error"] > 1e-4


def test_every_mistake_is_caught_and_every_check_catches_one(table):
    assert all("gradient" in caught(table[path]) for path in WRONG)
    assert {name for row in table.values() for name in caught(row).split()} == set(CHECKS)


def test_the_shape_of_the_table(table):
    assert list(table) == list(PATHS)
    for row in table.values():
        assert list(row) == list(CHECKS)
        for found in row.values():
            assert list(found) == ["caught", "error", "worst"]
            worst = found["worst"]
            assert (worst["keep"], worst["beta"]) == (2, 0.5)
            assert worst["normalization"] in ("token", "response")
    json.dumps(table, allow_nan=False)
    alone = path_checks(shipped_setup(), shipped_settings(step=3), [], [])["correct"]["mask"]
    assert alone == {"caught": False, "error": 0.0, "worst": None}


def test_a_check_may_see_nothing_here_and_something_in_the_worst_case():
    settings = shipped_settings(beta=0.0, normalization="response")
    row = path_checks(shipped_setup(), settings, [4], [0.0, 0.5])["kl-reversed"]["value"]
    assert not row["caught"] and row["worst"]["caught"] and row["worst"]["beta"] == 0.5


@pytest.mark.parametrize("seed", range(6))
def test_the_correct_path_alarms_nobody(seed):
    setup = random_setup(seed, 2, 3, [3, 2, 4], size=0.5)
    for normalization in ("token", "response"):
        settings = shipped_settings(normalization=normalization, rewards="given", keep=3, learning_rate=0.1)
        case = case_of(setup, settings)
        for name, check in CHECKS.items():
            assert check(case)[0] is False, name


def test_checks_see_new_mistakes(monkeypatch):
    # Half the reference's log-probabilities: no path of the atlas.
    def blurred(setup, features):
        return [value / 2 for value in CORRECT.reference(setup, features)]

    monkeypatch.setitem(PATHS, "correct", but(reference=blurred))
    case = case_of(shipped_setup(), shipped_settings())
    assert [name for name, check in CHECKS.items() if check(case)[0]] == ["value", "gradient", "rest"]
    monkeypatch.setitem(PATHS, "correct", but(weights=lambda positions, _: [0.05] * len(positions)))
    monkeypatch.setattr(module, "CHECKS", {"weights-each": CHECKS["weights-each"]})
    assert module.path_checks(shipped_setup(), shipped_settings(), [], [])["correct"]["weights-each"][
        "caught"
    ]


def test_fingerprints():
    assert module.fingerprint("a") == 97 and module.fingerprint("ab") == 97 * 256 + 98
    text = json.dumps([0.1, 0.2, 0.30000000000000004] * 50)
    changed = text.replace("0.30000000000000004", "0.30000000000000002", 1)
    assert module.fingerprint(text) != module.fingerprint(changed)


def test_the_corners_are_where_they_are_said_to_be():
    from compute.update import evaluate_positions, prepare

    for up, down in ((0.4, 1.5), (1.5, 0.4), (0.4, 0.4), (1.9, 1.9), (2.4, 2.4)):
        setup = module.two_answers(up, down)
        batch = prepare(setup, shipped_settings(rewards=[1, 0], keep=1))
        ratios = [
            term.ratio for term in evaluate_positions(batch, setup["initial"]) if term.ratio is not None
        ]
        assert ratios == pytest.approx([up, down], rel=1e-13) and batch.advantages == [1.0, -1.0]


@pytest.mark.parametrize("epsilon", [0.6, 0.95])
def test_wide_intervals_have_corners_too(epsilon):
    case = case_of(shipped_setup(), shipped_settings(clip_epsilon=epsilon))
    assert CHECKS["corners"](case)[0] is False
