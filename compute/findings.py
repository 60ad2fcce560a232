"""Which sentence is true of some results: each finding names the words to say, and the numbers to put into them.

A finding is a list of (key of the words, {placeholder: id of a number}); the words are content, in two languages.
"""


def plateaus(results):
    """How many positions lie on which curve, and how many a bound cuts."""
    counts = results["plateaus"]["counts"]
    ids = {"clipped": "clipped"}
    for name in ("counted", "positive", "negative", "neutral"):
        ids[name] = "plateaus.counts." + name
    said = [("plateaus", ids)]
    if counts["beyond"]:
        said.append(("plateaus_beyond", {"beyond": "plateaus.counts.beyond"}))
    return said


def kl(results):
    """From where to where the weighted KL goes."""
    ids = {"beta": "settings.beta", "steps": "facts.steps", "start": "facts.kl_start", "end": "facts.kl_end"}
    return [("kl", ids)]


def loss(results):
    """From where to where the loss goes, and whether it rises on the way."""
    ids = {
        "beta": "settings.beta",
        "steps": "facts.steps",
        "start": "facts.loss_start",
        "end": "facts.loss_end",
    }
    if not results["facts"]["rises"]:
        return [("loss_falls", ids)]
    ids["rises"] = "facts.rises"
    ids["first"] = "facts.first_rise"
    return [("loss_rises", ids)]


def clipped(results):
    """When clipping begins, and how far it goes."""
    if results["facts"]["first_clipped"] is None:
        return [("clipped_never", {"beta": "settings.beta", "steps": "facts.steps"})]
    ids = {"beta": "settings.beta", "first": "facts.first_clipped", "most": "facts.most_clipped"}
    return [("clipped_from", ids)]


def first_clip(results):
    """After how many updates a position is first clipped."""
    if results["facts"]["first_clipped"] is None:
        return [("first_clip_never", {"steps": "facts.steps"})]
    return [("first_clip", {"first": "facts.first_clipped"})]


def clip_counts(results):
    """How many positions are clipped, and how many have a ratio outside the interval."""
    return [("clip_default", {"clipped": "clipped", "outside": "outside"})]


def evidence(results):
    """Whether every check held."""
    held = all([check["holds"] for check in results["evidence"]["checks"].values()])
    return [("evidence_holds" if held else "evidence_fails", {})]


def prediction(results):
    """What the next step does to the probability of the selected token."""
    k = results["selected"]["index"]
    before, after = results["positions"][k]["prob"], results["positions"][k]["prob_next"]
    ids = {"before": "positions." + str(k) + ".prob", "after": "positions." + str(k) + ".prob_next"}
    if isinstance(before, str) or isinstance(after, str):
        return [("prediction_beyond", ids)]
    if before == after:
        return [("prediction_same", {"before": ids["before"]})]
    return [("prediction_up" if after > before else "prediction_down", ids)]


def routes_agree(results):
    """How far the two routes of section 04 differ."""
    return [("routes_agree", {"difference": "expectation.difference"})]


def beside(results):
    """Whether the chosen wrong path differs here, since when, or why it never does."""
    found = results["beside"]
    if found["path"] == "correct":
        return []
    if found["differs"]:
        return [("path_differs_in_" + name, {}) for name in found["what"]]
    if found["first"] is not None:
        return [("path_differs_later", {"first": "beside.first"})]
    return [("path_never_" + found["never"], {})]


FINDINGS = {
    "plateaus": plateaus,
    "kl": kl,
    "loss": loss,
    "clipped": clipped,
    "first-clip": first_clip,
    "evidence": evidence,
    "prediction": prediction,
    "clip-default": clip_counts,
    "routes-agree": routes_agree,
    "beside": beside,
}

# Those that follow the state shown; the others belong to the default state or to another section.
OF_A_STATE = ("plateaus", "prediction", "clip-default")
OF_A_RUN = ("kl", "loss", "clipped", "first-clip")
