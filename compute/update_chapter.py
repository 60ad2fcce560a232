"""Every number of the main page at one state: the state, its curves, plateaus, expectation and evidence."""

from .evidence import evidence
from .expectation import expectation
from .facts import facts
from .path_difference import path_difference
from .plateaus import plateaus
from .state import curves, state


def update_chapter(setup, settings, beta_choices, expected):
    """Return the state's fields, and setup, curves, plateaus, expectation, evidence, beside and facts.

    setup, settings: see state.py. beta_choices: of the curves; the default beta joins them if it is not among them.
    expected: first [d], second_base [d], second_per_action [d], rewards [V][V], see expectation.py.
    """
    found = state(setup, settings)
    betas = beta_choices + [settings["beta"]] * (settings["beta"] not in beta_choices)
    all_curves = curves(setup, settings, betas)
    found["setup"] = {"initial": setup["initial"]}
    found["curves"] = all_curves
    found["plateaus"] = plateaus(found["positions"], settings["clip_epsilon"], settings["path"])
    found["expectation"] = expectation(expected, setup["initial"])
    found["evidence"] = evidence(setup, settings)
    found["beside"] = path_difference(setup, settings)
    found["facts"] = facts(setup, found, all_curves[betas.index(settings["beta"])])
    return found
