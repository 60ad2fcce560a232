"""publish/verifying/kinds.py: what a card says of a kind of number that was computed again."""

import pytest

from publish.verifying.kinds import below, said_of_kinds
from publish.verifying.routes import ROUTES
from publish.verifying.verification import record_of
from tests.content_tools import shipped_content, shipped_material, shipped_word
from tests.unit.test_verification import of_registry, route


def said(*routes):
    record = record_of(shipped_content(), shipped_material(), routes)
    return said_of_kinds(record, shipped_material())


def test_without_a_record_nothing_is_said():
    assert said_of_kinds(None, shipped_material()) == {}


def test_routes_and_the_largest_difference_of_a_kind():
    found = said(
        route([of_registry("gradient.0.1", "loss")], name="fifty"),
        route([of_registry("gradient.0.0", off=2e-14)], name="autograd"),
    )
    assert set(found) == {"gradient.*.*", "loss"}
    assert found["gradient.*.*"]["en"] == (
        "Its kind was computed again in the default state by 2 routes: fifty digits, PyTorch; "
        "largest difference <\u00a010⁻¹³."
    )
    assert found["gradient.*.*"]["zh"] == (
        "这类数在默认状态下已由 2 条途径重新计算：五十位、PyTorch；最大差 <\u00a010⁻¹³。"
    )
    assert "by 1 route: fifty digits; largest difference 0." in found["loss"]["en"]


def test_where_rounding_decides_no_difference_is_named():
    kind = said(route([of_registry("digits.run.final.4.kl_held_out.mean", off=0.05)], name="longer"))
    assert kind["digits.run.final.*.kl_held_out.mean"]["en"].endswith(
        "they agree in every digit that is certain."
    )


def test_what_does_not_agree_is_not_hidden():
    kind = said(route([of_registry("loss", off=1e-3)]), route([of_registry("loss")], name="fifty"))
    assert kind["loss"]["en"].endswith("not all agree, see the page “Verification”.")
    assert shipped_word("page.verify.short", "zh") in kind["loss"]["zh"]


@pytest.mark.parametrize(
    ("gap", "text"),
    [(0.0, "0"), (2e-14, "<\u00a010⁻¹³"), (9.9e-15, "<\u00a010⁻¹⁴"), (0.3, "<\u00a01"), (25.0, "<\u00a010²")],
)
def test_a_difference_is_the_power_of_ten_below_which_it_lies(gap, text):
    assert below(gap) == text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_route_has_a_name_for_cards(language):
    for each in ROUTES:
        assert shipped_word(f"verify.by_{each.name}", language)
