"""Which sentence of the experiment is true of its results; see findings.py for what a finding is.

A key that ends with _fails says the contrary of what the prose was written for, and content/terms.toml says so too.
"""

from .matrices import added

PAGE = "digits"
TOLERANCE = 1e-12  # of checks by two routes in double precision
SEVERAL = 3.0  # how far rounding moves a number was measured once: so many times that far is no difference


def ids(**paths):
    """Return {placeholder: id} for numbers of the experiment."""
    return {name: PAGE + "." + path for name, path in paths.items()}


def place_of(run, beta):
    """Return the index of a beta."""
    return [found["beta"] for found in run["facts"]["by_beta"]].index(beta)


def main_result(found):
    """Whether, with the first beta, training reward rises while held-out reward falls and held-out KL grows."""
    first = found["run"]["facts"]["by_beta"][0]
    named = ids(
        beta="run.final.0.beta",
        training_start="run.start.mean_reward_training",
        training="run.final.0.reward_training.mean",
        held_start="run.start.mean_reward_held_out",
        held="run.final.0.reward_held_out.mean",
        kl="run.final.0.kl_held_out.mean",
    )
    holds = first["both"] and first["kl_held_out_grows"]
    return [("digits.main" if holds else "digits.main_fails", named)]


def spread(found):
    """With how many of the betas both happen."""
    facts = found["run"]["facts"]
    named = ids(count="run.facts.betas", both="run.facts.betas_with_both")
    return [("digits.spread" if facts["betas_with_both"] else "digits.spread_fails", named)]


def best(found):
    """Which beta ends with the highest held-out reward."""
    run = found["run"]
    beta = run["facts"]["best_reward_held_out"]
    if beta is None:
        return [("digits.best_unknown", {})]
    at = "run.final." + str(place_of(run, beta))
    named = ids(
        beta="run.facts.best_reward_held_out",
        held=at + ".reward_held_out.mean",
        training=at + ".reward_training.mean",
        kl=at + ".kl_held_out.mean",
    )
    return [("digits.best", named)]


def drawn(found):
    """Return where the chosen beta, whose curves are drawn, stands among all: its index."""
    return [row["beta"] for row in found["run"]["final"]].index(found["settings"]["beta"])


def direction(before, after, *changes):
    """Return whether a mean rises or falls; "goes" where one is undefined, or rounding alone may move them so far.

    changes: by which rounding moved them once.
    """
    if any([isinstance(value, str) for value in (before, after) + changes]):
        return "goes"
    if abs(after - before) <= SEVERAL * added(changes):
        return "goes"
    return "rises" if after > before else "falls"


def curve_reward(found):
    """What becomes of the expected reward on both sets with the chosen beta."""
    k = drawn(found)
    row, moved, at = (
        found["run"]["final"][k],
        found["run"]["sensitivity"]["by_beta"][k],
        "run.final." + str(k),
    )
    named = ids(
        beta=at + ".beta",
        training_start="run.start.mean_reward_training",
        training=at + ".reward_training.mean",
        held_start="run.start.mean_reward_held_out",
        held=at + ".reward_held_out.mean",
    )
    training, held = [
        direction(found["run"]["start"]["mean_" + name], row[name]["mean"], moved[name]["mean"])
        for name in ("reward_training", "reward_held_out")
    ]
    if (training, held) == ("rises", "falls"):
        return [("digits.reward_apart", named)]
    return [("digits.reward_" + (training if training == held else "goes"), named)]


def curve_kl(found):
    """On which set the chosen beta ends farther from the reference."""
    k = drawn(found)
    row, moved, at = (
        found["run"]["final"][k],
        found["run"]["sensitivity"]["by_beta"][k],
        "run.final." + str(k),
    )
    named = ids(beta=at + ".beta", training=at + ".kl_training.mean", held=at + ".kl_held_out.mean")
    both = "kl_training", "kl_held_out"
    order = direction(*[row[name]["mean"] for name in both], *[moved[name]["mean"] for name in both])
    return [("digits.kl_" + {"rises": "above", "falls": "below", "goes": "beside"}[order], named)]


def trend(found):
    """Whether held-out KL only falls with beta."""
    kl = found["run"]["facts"]["trend"]["kl_held_out"]
    highest = found["run"]["facts"]["highest_kl_held_out"]
    if highest is None:
        return [("digits.best_unknown", {})]
    if kl == "falling":
        return [("digits.trend_fails", {})]
    if highest == min([row["beta"] for row in found["run"]["facts"]["by_beta"]]):
        return [("digits.trend_mixed", {})]
    at = "run.final." + str(place_of(found["run"], highest))
    return [("digits.trend", ids(beta="run.facts.highest_kl_held_out", kl=at + ".kl_held_out.mean"))]


def stability(found):
    """Which betas are at the mercy of rounding."""
    for k, row in enumerate(found["run"]["sensitivity"]["by_beta"]):
        if not row["stable"]:
            at = "run.sensitivity.by_beta." + str(k)
            named = ids(
                beta="run.final." + str(k) + ".beta",
                reward=at + ".reward_held_out.largest",
                kl=at + ".kl_held_out.largest",
            )
            named["disturbance"] = PAGE + ".run.sensitivity.disturbance"
            return [("digits.unstable", named)]
    return [("digits.stable", ids(disturbance="run.sensitivity.disturbance"))]


def rates(found):
    """At which step size the sampled gradient does worst beside the exact one; none where it does not do worse."""
    worst, most, undefined = None, 1.5, False
    for k, row in enumerate(found["run"]["rates"]["rows"]):
        sampled, exact = [row[kind]["kl_held_out"]["mean"] for kind in ("sampled", "exact")]
        if isinstance(sampled, str) or isinstance(exact, str):  # beyond floating point: no quotient
            undefined = True
        elif exact > 0 and sampled / exact > most:
            worst, most = k, sampled / exact
    if worst is None:
        beta = ids(beta="run.rates.beta")
        return [("digits.rates_undefined" if undefined else "digits.rates_fails", beta)]
    at = "run.rates.rows." + str(worst)
    named = ids(
        rate=at + ".rate", sampled=at + ".sampled.kl_held_out.mean", exact=at + ".exact.kl_held_out.mean"
    )
    named["beta"] = PAGE + ".run.rates.beta"
    return [("digits.rates", named)]


def checks(found):
    """How far the two ways to each result differ."""
    named = ids(
        sums="run.checks.sum_error", kl="run.checks.kl_error", identity="run.checks.gradient.identity"
    )
    run = found["run"]["checks"]
    errors = [run["sum_error"], run["kl_error"], run["gradient"]["identity"]]
    holds = all([not isinstance(error, str) and error <= TOLERANCE for error in errors])
    return [("digits.checks" if holds else "digits.checks_fails", named)]


def digest(found):
    """Whether the reference's bytes are the same after training."""
    digests = found["run"]["digests"]
    holds = digests["all_same"] and digests["reference_is_read_only"]
    return [("digits.digest" if holds else "digits.digest_fails", {})]


def picked(found):
    """What the policy makes of the picked input."""
    if not found["shipped"]:
        return [("digits.not_shipped", ids(seed="settings.seed", update="settings.update"))]
    named = ids(
        reward="reward",
        before="reference_reward",
        kl="kl",
        a="settings.a",
        b="settings.b",
        right="right.value",
    )
    return [("digits.picked_training" if found["is_training"] else "digits.picked_held_out", named)]


FINDINGS = {
    "main-result": main_result,
    "curve-reward": curve_reward,
    "curve-kl": curve_kl,
    "spread": spread,
    "best": best,
    "trend": trend,
    "stability": stability,
    "rates": rates,
    "run-checks": checks,
    "digest": digest,
    "picked": picked,
}
OF_A_STATE = ("curve-reward", "curve-kl", "picked")


def said_of_a_state(found):
    """Return what the sentences that follow the controls say: name -> finding."""
    return {name: FINDINGS[name](found) for name in OF_A_STATE}
