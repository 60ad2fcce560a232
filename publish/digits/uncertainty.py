"""How far rounding alone moves each result of the experiment's training: no more digits are shown than are certain.

Measured by training everything a second time from a start that differs in the last digits (compute/digits).
"""

from __future__ import annotations

from ..page.charts import Results

RUN = "digits.run"
QUANTITIES = ("reward_training", "reward_held_out", "kl_training", "kl_held_out")
KINDS = {"mean": "mean", "lowest": "largest", "highest": "largest"}  # of a final number → of a change


def uncertainties(trained: Results) -> dict[str, float]:
    """Return the uncertainty of every number of the runs that has one, by id; it is absolute."""
    found: dict[str, float] = {}
    for b, quantities in enumerate(trained["uncertainty"]["curves"]):
        for name, changes in quantities.items():
            found |= {f"{RUN}.curves.{b}.{name}.{e}": change for e, change in enumerate(changes["mean"])}
            found |= {f"{RUN}.final.{b}.{name}.{end}": changes[kind][-1] for end, kind in KINDS.items()}
        for name in QUANTITIES:
            fact = f"{name}_change" if name.startswith("reward") else name
            found[f"{RUN}.facts.by_beta.{b}.{fact}"] = quantities[name]["mean"][-1]
            # Of a change that is rounding's own only the first digit is worth showing.
            for kind, change in trained["sensitivity"]["by_beta"][b][name].items():
                found[f"{RUN}.sensitivity.by_beta.{b}.{name}.{kind}"] = change
    for name, changes in trained["uncertainty"]["gradient"].items():
        found |= {f"{RUN}.checks.gradient.by_beta.{b}.{name}": change for b, change in enumerate(changes)}
    for r, row in enumerate(trained["uncertainty"]["rates"]):
        for way, names in row.items():
            for name, changes in names.items():
                found |= {
                    f"{RUN}.rates.rows.{r}.{way}.{name}.{end}": changes[kind] for end, kind in KINDS.items()
                }
    return found
