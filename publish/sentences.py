"""Sentences computed from results: which one is true depends on the numbers, so the code chooses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from .terms import Terms

Show = Callable[[str], Markup]  # number id → its markup


class Sentences:
    """The computed sentences of one page in one language; `sentence(name)` returns one."""

    def __init__(self, results: dict[str, Any], terms: Terms, language: str, show: Show) -> None:
        self.results = results
        self.terms = terms
        self.language = language
        self.show = show

    def __call__(self, name: str) -> Markup:
        """Return a sentence. Raises KeyError for an unknown name."""
        return SENTENCES[name](self)

    def say(self, key: str, **ids: str) -> Markup:
        """Return a text with numbers, given by their ids, in its placeholders."""
        text = Markup.escape(self.terms.text(f"sentence.{key}", self.language))
        numbers = {name: self.show(number_id) for name, number_id in ids.items()}
        return Markup(self.terms.filled(f"sentence.{key}", text, numbers))


def plateaus(s: Sentences) -> Markup:
    """How many positions lie on which curve, and how many a bound cuts."""
    counts = s.results["plateaus"]["counts"]
    ids = {name: f"plateaus.counts.{name}" for name in counts}
    sentence = s.say("plateaus", clipped="clipped", **ids)
    beyond = s.say("plateaus_beyond", beyond=ids["beyond"])
    gap = " " if s.language == "en" else ""
    return sentence + gap + beyond if counts["beyond"] else sentence


def kl(s: Sentences) -> Markup:
    """From where to where the weighted KL goes."""
    return s.say("kl", beta="settings.beta", steps="facts.steps", start="facts.kl_start", end="facts.kl_end")


def loss(s: Sentences) -> Markup:
    """From where to where the loss goes, and whether it rises on the way."""
    ids = {
        "beta": "settings.beta",
        "steps": "facts.steps",
        "start": "facts.loss_start",
        "end": "facts.loss_end",
    }
    if not s.results["facts"]["rises"]:
        return s.say("loss_falls", **ids)
    return s.say("loss_rises", rises="facts.rises", first="facts.first_rise", **ids)


def clipped(s: Sentences) -> Markup:
    """When clipping begins, and how far it goes."""
    if s.results["facts"]["first_clipped"] is None:
        return s.say("clipped_never", beta="settings.beta", steps="facts.steps")
    ids = {"first": "facts.first_clipped", "most": "facts.most_clipped"}
    return s.say("clipped_from", beta="settings.beta", **ids)


def first_clip(s: Sentences) -> Markup:
    """After how many updates a position is first clipped."""
    if s.results["facts"]["first_clipped"] is None:
        return s.say("first_clip_never", steps="facts.steps")
    return s.say("first_clip", first="facts.first_clipped")


def evidence(s: Sentences) -> Markup:
    """Whether every check of the default state held."""
    checks = s.results["evidence"]["checks"].values()
    return s.say("evidence_holds" if all(check["holds"] for check in checks) else "evidence_fails")


def prediction(s: Sentences) -> Markup:
    """What the next step does to the probability of the selected token."""
    k = s.results["selected"]["index"]
    position = s.results["positions"][k]
    before, after = position["prob"], position["prob_next"]
    if isinstance(before, str) or isinstance(after, str):
        key = "prediction_beyond"
    else:
        key = (
            "prediction_up" if after > before else "prediction_down" if after < before else "prediction_same"
        )
    return s.say(key, before=f"positions.{k}.prob", after=f"positions.{k}.prob_next")


SENTENCES: dict[str, Callable[[Sentences], Markup]] = {
    "plateaus": plateaus,
    "kl": kl,
    "loss": loss,
    "clipped": clipped,
    "first-clip": first_clip,
    "evidence": evidence,
    "prediction": prediction,
    "clip-default": lambda s: s.say("clip_default", clipped="clipped", outside="outside"),
    "routes-agree": lambda s: s.say("routes_agree", difference="expectation.difference"),
}
