"""publish/digits/uncertainty.py: which numbers of the experiment are uncertain, and what is shown of them."""

from decimal import Decimal

from publish.digits.cache import digits_results
from publish.digits.config import load_digits_config
from publish.digits.uncertainty import KINDS, QUANTITIES, uncertainties
from tests.content_tools import CONTENT, shipped_material


def found():
    return uncertainties(digits_results(load_digits_config(CONTENT).setup))


def test_every_uncertainty_is_that_of_a_registered_number():
    registry = shipped_material().registry
    assert all(registry[number].page == "digits" and change >= 0 for number, change in found().items())
    final = [
        number for number in registry if number.startswith("digits.run.final.") and ".beta" not in number
    ]
    rates = [number for number in registry if number.split(".")[-1] in KINDS and ".rates.rows." in number]
    assert set(final + rates) <= set(found())


def test_calm_training_is_shown_whole_and_unstable_training_is_not():
    # The shipped run: β = 0 … 1 are calm, β = 3 is at the mercy of rounding (see the page's section on stability).
    registry = shipped_material().registry
    for name in QUANTITIES:
        calm, wild = [registry[f"digits.run.final.{b}.{name}.mean"] for b in (0, 4)]
        assert found()[calm.id] < 1e-11 and len(calm.text.partition(".")[2]) == 4
        assert found()[wild.id] > 1e-2 and wild.text.startswith("≈ ")
        assert abs(Decimal(wild.text.removeprefix("≈ ")) - Decimal(wild.value)) <= Decimal("0.5")


def test_a_change_is_shown_with_one_digit():
    registry = shipped_material().registry
    change = registry["digits.run.sensitivity.by_beta.4.kl_training.largest"]
    assert change.text == f"≈ {round(change.value)}" and 1 < change.value < 9.5


def test_at_the_start_nothing_is_uncertain_yet():
    for b in range(5):
        assert found()[f"digits.run.curves.{b}.kl_training.0"] < 1e-9
