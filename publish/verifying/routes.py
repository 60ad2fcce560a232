"""The independent routes by which registered numbers are computed again; each gives trees with the pages' ids."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from compute.kl_chapter import PAGE as KL

from ..content import Content
from ..digits.cache import digits_results
from ..digits.page import NAME as DIGITS
from ..digits.page import summary
from ..faults.page import NAME as FAULTS
from ..reading.problems import Phrase

Tree = dict[str, Any]
ALLOWED = 1e-9  # relative where a number is above 1: what the site promises across machines
ALLOWED_OF_DIFFERENCES = 1e-6


@dataclass(frozen=True)
class Route:
    """One way to numbers: `trees` gives them; `lacks` says why it cannot be gone here, None if it can."""

    name: str
    allowed: float
    lacks: Callable[[Content], Phrase | None]
    trees: Callable[[Content], Iterator[Tree]]


def needs(module: str, english: str, chinese: str) -> Callable[[Content], Phrase | None]:
    """Return a check that a module is installed."""

    def lacks(content: Content) -> Phrase | None:
        if importlib.util.find_spec(module):
            return None
        return f"{english} is not installed", f"未安装 {chinese}"

    return lacks


def nothing(content: Content) -> Phrase | None:
    """Say that a route lacks nothing."""
    return None


def update_arguments(content: Content) -> tuple[Any, ...]:
    """Return what the main page's numbers are computed from."""
    config = content.config
    return config.setup, config.settings, config.beta_choices, config.expectation


def is_correct(content: Content) -> bool:
    """Tell whether the main page shows the correct path, which the routes that know only the definition can follow."""
    return bool(content.config.settings["path"] == "correct")


def digits_state(content: Content) -> tuple[Any, Any, Any]:
    """Return what a state of the experiment is computed from: what no setting changes, the parts, the settings."""
    trained = digits_results(content.digits_config.setup)
    parts = trained["checkpoints"]["parts"] + trained["grids"]["betas"]
    return trained["live"], parts, content.digits_config.settings


def with_fifty_digits(content: Content) -> Iterator[Tree]:
    """The same formulas with fifty digits: every number that the core computes."""
    from mpmath import workdps

    from compute.checks import fifty_results as fifty
    from compute.checks.fifty_digits import DIGITS as MANY

    from ..faults.page import registered

    with workdps(MANY):
        yield fifty.update_with_fifty_digits(*update_arguments(content))
        yield fifty.kl_chapter_with_fifty_digits(content.kl_config.setup, content.kl_config.settings)
        atlas = fifty.atlas_with_fifty_digits(content.config.setup, content.config.settings)
        yield {FAULTS: registered(atlas)}
        yield {DIGITS: fifty.digits_state_with_fifty_digits(*digits_state(content))}


def by_definition(content: Content) -> Iterator[Tree]:
    """The definitions written a second time, with fifty digits; derivatives are differences or closed forms."""
    from mpmath import workdps

    from compute.checks.atlas_examples import atlas_by_definition
    from compute.checks.chapter_definitions import chapter_by_definition
    from compute.checks.definition_results import update_by_definition
    from compute.checks.fifty_digits import DIGITS as MANY

    setup, settings, _, expected = update_arguments(content)
    with workdps(MANY):
        if is_correct(content):
            yield update_by_definition(setup, settings, expected)
        yield {KL: chapter_by_definition(content.kl_config.setup, content.kl_config.settings)}
        yield {FAULTS: atlas_by_definition()}


def by_numpy(content: Content) -> Iterator[Tree]:
    """Whole arrays at once, gradients in matrix form."""
    from compute.checks.digits_results import state_by_numpy
    from compute.checks.float32_results import notes_by_numpy
    from compute.checks.vectorised_results import update_by_numpy

    if is_correct(content):
        yield update_by_numpy(*update_arguments(content))
    if state := state_by_numpy(*digits_state(content)):
        yield {DIGITS: state}
    yield {FAULTS: notes_by_numpy()}


def by_autograd(content: Content) -> Iterator[Tree]:
    """The loss as a program writes it, every derivative by PyTorch; the atlas's checks and the training too."""
    from compute.checks import autograd_results as autograd
    from compute.checks.atlas_checks import checks_by_autograd
    from compute.checks.digits_training_results import runs_by_autograd
    from compute.paths import PATHS

    setup, settings = content.config.setup, content.config.settings
    wrong = [path for path in PATHS if path != "correct"]
    with autograd.one_thread():
        yield autograd.update_by_autograd(*update_arguments(content))
        if chapter := autograd.chapter_by_autograd(content.kl_config.settings):
            yield {KL: chapter}
        yield {FAULTS: autograd.atlas_by_autograd(setup, settings, wrong)}
        yield {FAULTS: checks_by_autograd(setup, settings, wrong)}
        yield {DIGITS: {"run": runs_by_autograd(content.digits_config.setup)}}


def by_differences(content: Content) -> Iterator[Tree]:
    """Central differences of the losses and objectives in float64."""
    from compute.checks.difference_results import chapter_by_differences, update_by_differences

    yield update_by_differences(*update_arguments(content))
    if chapter := chapter_by_differences(content.kl_config.settings):
        yield {KL: chapter}


def with_more_digits(content: Content) -> Iterator[Tree]:
    """The whole training again, with a number type that has more digits than float64."""
    from compute.checks.digits_results import runs_with_more_digits

    run = summary(runs_with_more_digits(content.digits_config.setup))
    del run["sensitivity"]  # what rounding does in float64 is no number of another type
    yield {DIGITS: {"run": run}}


def lacks_digits(content: Content) -> Phrase | None:
    """Say when this machine has no number type with more digits than float64."""
    from compute.checks.digits_results import has_more_digits

    if has_more_digits():
        return None
    return "numpy has no longer floats on this machine", "此机器上的 numpy 没有更长的浮点数"


ROUTES = (
    Route("fifty", ALLOWED, needs("mpmath", "mpmath", "mpmath"), with_fifty_digits),
    Route("definition", ALLOWED, needs("mpmath", "mpmath", "mpmath"), by_definition),
    Route("numpy", ALLOWED, nothing, by_numpy),
    Route("autograd", ALLOWED, needs("torch", "PyTorch", "PyTorch"), by_autograd),
    Route("differences", ALLOWED_OF_DIFFERENCES, nothing, by_differences),
    Route("longer", ALLOWED, lacks_digits, with_more_digits),
)
EXACT = ("fifty", "longer")  # routes with more digits than float64, by which the digits shown are judged
