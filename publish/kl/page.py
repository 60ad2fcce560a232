"""The chapter "Reference policy, KL and clipping": its results, keys, charts, data files, and what its blocks name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from compute.kl_chapter import PAGE, chapter
from compute.kl_findings import CHAPTER_FINDINGS

from ..numbers.export import csv_text
from ..page.charts import Results
from ..page.subject import Said, Subject
from ..words.example import Example
from .charts import KL_FIGURES
from .config import KlConfig
from .settings import KEYS

if TYPE_CHECKING:
    from ..rendering.pages import Page


def kl_page(config: KlConfig, example: Example) -> Subject:
    """Return the chapter at its default state."""
    results: Results = chapter(config.setup, config.settings)
    return Subject(
        name=PAGE,
        core="compute.kl_live",
        command=f"python build.py state --page {PAGE}",
        file=PAGE + "-{lang}",
        setup=config.setup,
        settings=config.settings,
        keys=KEYS,
        results=results,
        findings={name: partial(said, finding) for name, finding in CHAPTER_FINDINGS.items()},
        figures=KL_FIGURES,
        context=partial(context, example),
        scripts=("chapter", "example"),
        words=(f"sentence.{PAGE}", "example"),
        files=files(results[PAGE]) | {example.name: example.source},
    )


def said(finding: Callable[[Any], Said], results: Results) -> Said:
    """Return what a finding says of the page's results."""
    return finding(results[PAGE])


def context(example: Example, page: Page) -> dict[str, Any]:
    """Return what the chapter's blocks may name."""
    found = page.subject.results[PAGE]
    return {"kl": found, "at": f"{PAGE}.", "chosen": page.subject.settings, "example": example}


def table(rows: Iterable[dict[str, Any]], *names: str) -> str:
    """Return a CSV table of these entries of each row."""
    return csv_text(names, ([row[name] for name in names] for row in rows))


def files(found: dict[str, Any]) -> dict[str, str]:
    """Return the charts' data: name → CSV."""
    curve = found["curve"]
    points = [
        {"p": p, "expected_reward": reward, "objective": value}
        for p, reward, value in zip(curve["p"], curve["reward"], curve["objective"], strict=True)
    ]
    clip = [*found["clip"]["cases"], found["clip"]["point"]]
    columns = ("ratio", "advantage", "unclipped", "clipped_term", "surrogate", "slope", "twin", "twin_slope")
    return {
        f"{PAGE}-objective.csv": table(points, "p", "expected_reward", "objective"),
        f"{PAGE}-group.csv": table(found["group"]["outcomes"], "count", "mean", "probability"),
        f"{PAGE}-clip.csv": table(clip, *columns),
        f"{PAGE}-tokens.csv": table(found["tokens"]["by_length"], "length", "ratio"),
        f"{PAGE}-cost.csv": table(found["cost"], "length", "trajectories", "enumerated", "sampled"),
    }
