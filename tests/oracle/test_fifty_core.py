"""compute/checks/fifty_core.py: the core's own files with fifty digits, against definitions with as many."""

import mpmath
import pytest
from mpmath import mpf, workdps

from compute.checks.chapter_definitions import chapter_by_definition
from compute.checks.definition_results import update_by_definition
from compute.checks.fifty_core import divide, exact, with_fifty_digits
from compute.checks.fifty_digits import DIGITS
from compute.checks.fifty_results import kl_chapter_with_fifty_digits, update_with_fifty_digits
from compute.state import state
from tests.configurations import shipped_settings, shipped_setup
from tests.content_tools import shipped_config, shipped_kl_config

NEARLY = mpf(10) ** -45  # fifty digits, of numbers of about 1
BY_DIFFERENCES = mpf(10) ** -28  # the square of the step


def largest_gap(tree, other):
    """The largest difference of the numbers that both trees have."""
    if isinstance(tree, dict):
        return max([largest_gap(value, other[key]) for key, value in tree.items() if key in other] or [0])
    if isinstance(tree, (list, tuple)):
        return max([largest_gap(*pair) for pair in zip(tree, other)] or [0])
    if tree is None or isinstance(tree, (bool, str)):
        return 0 if tree == other else mpf("inf")
    return abs(tree - other)


def test_literals_quotients_and_functions_have_fifty_digits():
    with workdps(DIGITS):
        assert divide(1, 3) == mpf(1) / 3 and divide(1.0, 4) == 0.25
        assert exact({"a": [0.1, 2, "x", None]}) == {"a": [mpf(0.1), 2, "x", None]}
        policy = with_fifty_digits("policy")
        found = policy.log_softmax([mpf(0), mpf(0), mpf(0)])
        assert abs(found[0] + mpmath.log(3)) < NEARLY
        assert abs(with_fifty_digits("rollout").declared_weights(*one_of_three())[0] - mpf(1) / 3) < NEARLY


def one_of_three():
    """Positions of three tokens, for weights of 1 / 3."""
    rollout = with_fifty_digits("rollout")
    return [rollout.Position(0, t, "token", [mpf(1)], 0) for t in range(3)], "token"


def test_it_is_a_copy_that_leaves_the_core_as_it_is():
    setup, settings = shipped_setup(), shipped_settings()
    before = state(setup, settings)
    with workdps(DIGITS):
        copy = with_fifty_digits("state")
        copy.state(exact(setup), exact(settings))
    assert copy.__name__ != "compute.state" and type(before["loss"]) is float
    assert state(setup, settings) == before


def test_what_overflows_in_the_core_overflows_here():
    with workdps(DIGITS):
        assert with_fifty_digits("objective").ratio(mpf(800), mpf(0)) == mpf("inf")
        with pytest.raises(OverflowError):
            with_fifty_digits("policy").exp(mpf(800))


@pytest.mark.parametrize("changes", [{}, {"step": 3, "normalization": "response", "beta": 0.5}], ids=str)
def test_the_main_page_equals_its_definition_to_many_digits(changes):
    config, settings = shipped_config(), shipped_config().settings | changes
    with workdps(DIGITS):
        core = update_with_fifty_digits(config.setup, settings, [settings["beta"]], config.expectation)
        other = update_by_definition(config.setup, settings, config.expectation)
        smooth = {name: other[name] for name in ("loss", "kl", "advantages", "counted")}
        if not changes:  # later parameters come from differences
            assert largest_gap(smooth, core) < NEARLY
            for row, position in zip(other["positions"], core["positions"]):
                now = {name: row[name] for name in row if name != "prob_next"}
                assert largest_gap(now, position) < NEARLY
        assert largest_gap(other, core) < BY_DIFFERENCES
        # The float64 core is far from that: the comparison sees differences of 1e-17.
        assert largest_gap(smooth, state(config.setup, settings)) > mpf(10) ** -20


def test_the_chapter_equals_its_definitions_to_many_digits():
    config = shipped_kl_config()
    with workdps(DIGITS):
        core = kl_chapter_with_fifty_digits(config.setup, config.settings)["kl-and-clipping"]
        assert largest_gap(chapter_by_definition(config.setup, config.settings), core) < mpf(10) ** -38
