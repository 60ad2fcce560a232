"""Which pages have states, and how one of them is computed without building the site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..page.keys import Key
from ..reading.folder import Folder, folder_problems
from ..reading.problems import Problem, Problems, found_and_allowed, nearest, one_of


@dataclass(frozen=True)
class States:
    """A page's keys, its default settings, and the function from settings to every number of that state.

    shown: the same with what the page computes for a state beside it; None: there is no more.
    """

    keys: tuple[Key, ...]
    settings: dict[str, Any]
    state: Callable[[dict[str, Any]], dict[str, Any]]
    shown: Callable[[dict[str, Any]], dict[str, Any]] | None = None

    def results(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return everything that the page computes anew for a state."""
        return (self.shown or self.state)(settings)


def update_states(content: Folder) -> States:
    """Return the states of the main page. Raises Problems."""
    from compute.state import state

    from ..update.config import load_config
    from ..update.page import state_results
    from ..update.settings import update_keys

    config = load_config(content)
    return States(
        update_keys(config),
        config.settings,
        lambda settings: state(config.setup, settings),
        lambda settings: state_results(config, settings),
    )


def kl_states(content: Folder) -> States:
    """Return the states of the chapter on KL and clipping. Raises Problems."""
    from compute.kl_chapter import chapter

    from ..kl.config import load_kl_config
    from ..kl.settings import KEYS

    config = load_kl_config(content)
    return States(KEYS, config.settings, lambda settings: chapter(config.setup, settings))


def digits_states(content: Folder) -> States:
    """Return the states of the experiment; trains where nothing is cached. Raises Problems."""
    from ..digits.cache import digits_results
    from ..digits.config import load_digits_config
    from ..digits.page import state_of
    from ..digits.settings import digits_keys

    config = load_digits_config(content)
    trained = digits_results(config.setup)
    return States(
        digits_keys(config.setup),
        config.settings,
        lambda settings: {"digits": state_of(trained, settings)},
    )


PAGES: dict[str, Callable[[Folder], States]] = {
    "update": update_states,
    "kl-and-clipping": kl_states,
    "digits": digits_states,
}


def states_of(page: str, content: Folder) -> States:
    """Return the states of a page. Raises Problems for a page that there is not, or a mistake in its config."""
    if page not in PAGES:
        what = found_and_allowed(page, one_of(PAGES))
        raise Problems([Problem(f"--page {page}", None, "", what, nearest(page, PAGES))])
    if problems := folder_problems(content):
        raise Problems(problems)
    return PAGES[page](content)
