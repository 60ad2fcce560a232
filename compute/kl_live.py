"""The chapter's conversation with the core: one JSON string in, one out, the same numbers as the build's."""

import json

from .kl_chapter import chapter
from .kl_findings import findings

kept = {"setup": None}


def begin(setup):
    """Take the setup, as JSON; to be called once."""
    kept["setup"] = json.loads(setup)


def show(settings):
    """Return every number of the state, and what the sentences say. settings and result are JSON."""
    settings = json.loads(settings)
    found = chapter(kept["setup"], settings)
    found["settings"] = settings
    found["sentences"] = findings(found)
    return json.dumps(found)
