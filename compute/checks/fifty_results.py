"""Every page's numbers by the core itself with fifty digits, see fifty_core.py; inside workdps(DIGITS)."""

import json

from .fifty_core import exact, with_fifty_digits


def update_with_fifty_digits(setup, settings, beta_choices, expected):
    """Return the main page's numbers, see compute/update_chapter.py."""
    chapter = with_fifty_digits("update_chapter").update_chapter
    return chapter(exact(setup), exact(settings), exact(beta_choices), exact(expected))


def kl_chapter_with_fifty_digits(setup, settings):
    """Return the chapter's numbers, see compute/kl_chapter.py."""
    return with_fifty_digits("kl_chapter").chapter(exact(setup), exact(settings))


def atlas_with_fifty_digits(setup, settings):
    """Return the fault atlas, see compute/atlas/fault_atlas.py; for half a second of the core about ten."""
    return with_fifty_digits("atlas.fault_atlas").fault_atlas(exact(setup), exact(settings))


def digits_state_with_fifty_digits(live, parts, settings):
    """Return one state of the experiment from the parameters that the page is given, see compute/digits_live.py."""
    core = with_fifty_digits("digits_live")
    core.begin(json.dumps(live))
    for part in parts:
        core.load(json.dumps(part))
    plain = with_fifty_digits("plain").plain
    return plain(core.results_of(exact(settings)))
