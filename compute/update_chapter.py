"""Every number of the main page at one state: the state, its curves, plateaus, expectation and evidence."""

from .evidence import evidence
from .expectation import expectation
from .facts import facts
from .path_difference import path_difference
from .plateaus import plateaus
from .state import curves, state


def update_chapter(setup, settings, beta_choices, expected):
    """Return everything of update_state, and setup, expectation and evidence, which follow no control.

    expected: first [d], second_base [d], second_per_action [d], rewards [V][V], see expectation.py.
    """
    found = update_state(setup, settings, beta_choices)
    found["setup"] = {
        "initial": setup["initial"],
        "second_per_action": expected["second_per_action"],
    }
    found["expectation"] = expectation(expected, setup["initial"])
    found["evidence"] = evidence(setup, settings)
    return found


def update_state(setup, settings, beta_choices):
    """Return the fields of a state, and curves, plateaus, both paths and facts beside them.

    setup, settings: see state.py. beta_choices: of the curves; the default beta joins them if it is not among them.
    """
    found = state(setup, settings)
    # Rewards given as a list are no numbers of their own: they stand under `rewards`.
    found["settings"] = {key: value for key, value in settings.items() if not isinstance(value, list)}
    betas = beta_choices + [settings["beta"]] * (settings["beta"] not in beta_choices)
    all_curves = curves(setup, settings, betas)
    found["curves"] = all_curves
    found["plateaus"] = plateaus(found["positions"], settings["clip_epsilon"], settings["path"])
    found["beside"] = path_difference(setup, settings)
    found["facts"] = facts(setup, found, all_curves[betas.index(settings["beta"])])
    return found
