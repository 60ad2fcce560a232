"""Which sentence of the chapter is true of its results; see findings.py for what a finding is."""

from .kl_chapter import CURVE_STEPS, PAGE

SAME = 1e-12  # numbers of one size that differ by less are the same
SHOWN = 5e-7  # numbers that differ by less look the same in six decimals


def ids(*names, **renamed):
    """Return {placeholder: id} for numbers of the chapter."""
    found = {name: PAGE + "." + name for name in names}
    for name, path in renamed.items():
        found[name] = PAGE + "." + path
    return found


def same(left, right, tolerance=SAME):
    """Tell whether two numbers, possibly infinite words, differ by no more than rounding."""
    if isinstance(left, str) or isinstance(right, str):
        return left == right
    return abs(left - right) <= tolerance * max(1.0, abs(left), abs(right))


def above(left, right):
    """Tell whether left is larger than right; "inf" is larger than any number, "-inf" smaller."""
    order = {"-inf": -1, "inf": 1}
    ranks = order.get(left, 0), order.get(right, 0)
    return left > right if ranks == (0, 0) else ranks[0] > ranks[1]


def directions(found):
    """Which of the two divergences is larger."""
    forward, reverse = found["kl"], found["reverse_kl"]
    key = "same" if same(forward, reverse, SHOWN) else "larger" if above(forward, reverse) else "smaller"
    return [("kl-and-clipping.directions_" + key, ids("kl", "reverse_kl"))]


def support(found):
    """Whether both policies take the same paths, and what follows where they do not."""
    said = []
    for y, path in enumerate(found["paths"]):
        named = ids(p="paths." + str(y) + ".p", q="paths." + str(y) + ".q")
        if path["p"] > 0 and path["q"] == 0:
            said.append(("kl-and-clipping.support_infinite_" + str(y + 1), named))
        elif path["p"] == 0 and path["q"] > 0:
            said.append(("kl-and-clipping.support_unused_" + str(y + 1), named))
        elif path["p"] == 0 and path["q"] == 0:
            said.append(("kl-and-clipping.support_neither_" + str(y + 1), named))
    return said or [("kl-and-clipping.support_shared", {})]


def single_sample(found):
    """Which path, sampled alone, has a negative log-ratio."""
    for y, path in enumerate(found["paths"]):
        negative = path["log_ratio"] != "inf" and path["log_ratio"] != "nan" and above(0.0, path["log_ratio"])
        if negative and path["p"] > 0:
            return [
                (
                    "kl-and-clipping.single_negative_" + str(y + 1),
                    ids("kl", log_ratio="paths." + str(y) + ".log_ratio"),
                )
            ]
    return [("kl-and-clipping.single_none", ids("kl"))]


def comparison(found):
    """Whether the objective prefers p to the reference itself."""
    left, right = found["objective"], found["reference_objective"]
    key = "same" if same(left, right, SHOWN) else "better" if above(left, right) else "worse"
    return [("kl-and-clipping.p_" + key, ids("objective", "reference_objective"))]


def optimum(found):
    """Where the optimum over all distributions lies, and that the end of the curve need not be it."""
    end = found["curve"]["objective"][CURVE_STEPS]
    named = ids(
        best="optimum.objective",
        first="paths.0.optimum",
        end="curve.objective." + str(CURVE_STEPS),
    )
    if found["settings"]["beta"] == 0:
        return [("kl-and-clipping.optimum_free", named)]
    said = [("kl-and-clipping.optimum_tilted", named)]
    reached = same(end, found["optimum"]["objective"], SHOWN)
    return said + [("kl-and-clipping.end_is_optimum" if reached else "kl-and-clipping.end_below", named)]


def negatives(found):
    """Whether a negative mean log-ratio becomes less probable with every larger group."""
    groups = found["groups"]
    chances = [group["negative"] for group in groups]
    order = sorted(range(len(groups)), key=lambda k: groups[k]["n"])
    if not any(chances):
        return [("kl-and-clipping.negatives_never", {})]
    if len(groups) == 1:
        return []
    for k in range(1, len(order)):
        smaller, larger = order[k - 1], order[k]
        if chances[larger] > chances[smaller] and not same(chances[larger], chances[smaller]):
            here, before = "groups." + str(larger), "groups." + str(smaller)
            named = ids(
                n=here + ".n", chance=here + ".negative", n_before=before + ".n", before=before + ".negative"
            )
            return [("kl-and-clipping.negatives_rise", named)]
    ends = {"first": "groups." + str(order[0]), "last": "groups." + str(order[-1])}
    named = ids(**{name: path + ".negative" for name, path in ends.items()})
    return [("kl-and-clipping.negatives_fall", named)]


def group(found):
    """How probable a negative mean is in a group of the chosen size."""
    infinite = isinstance(found["group"]["mean"], str)
    named = ids("kl", n="group.n", chance="group.negative", deviation="group.deviation")
    return [("kl-and-clipping.group_infinite" if infinite else "kl-and-clipping.group", named)]


def vanishing(found):
    """That the second terms cancel, though none of them is 0."""
    first, second = [path["bracket_part"] for path in found["gradient"]["paths"]]
    named = ids(
        first="gradient.paths.0.bracket_part",
        second="gradient.paths.1.bracket_part",
        total="gradient.bracket_sum",
        beta="settings.beta",
    )
    return [("kl-and-clipping.vanishing" if first and second else "kl-and-clipping.vanishing_trivial", named)]


def derivatives(found):
    """How far the two wrong derivatives are off."""
    results = found["gradient"]
    named = ids(
        gradient="gradient.gradient",
        product="gradient.product",
        product_error="gradient.product_error",
        value_only="gradient.value_only",
        value_only_error="gradient.value_only_error",
    )
    if isinstance(results["gradient"], str):
        return [("kl-and-clipping.derivatives_infinite", named)]
    product, value_only = results["product_error"], results["value_only_error"]
    if same(product, 0.0) and same(value_only, 0.0):
        return [("kl-and-clipping.derivatives_agree", named)]
    return [("kl-and-clipping.derivatives", named)]


def clip_point(found):
    """What the bound does at the chosen point."""
    point = found["clip"]["point"]
    named = ids(
        ratio="clip.point.ratio",
        advantage="clip.point.advantage",
        unclipped="clip.point.unclipped",
        clipped="clip.point.clipped_term",
        value="clip.point.surrogate",
    )
    if point["advantage"] == 0:
        return [("kl-and-clipping.clip_neutral", named)]
    if point["saturates"]:
        return [
            (
                "kl-and-clipping.clip_limits_raising"
                if point["advantage"] > 0
                else "kl-and-clipping.clip_limits_lowering",
                named,
            )
        ]
    return [
        (
            "kl-and-clipping.clip_inside" if point["where"] == "inside" else "kl-and-clipping.clip_outside",
            named,
        )
    ]


def twin(found):
    """What clipping first and then multiplying gives at the chosen point."""
    named = ids(twin="clip.point.twin", value="clip.point.surrogate", error="clip.point.twin_error")
    return [
        (
            "kl-and-clipping.twin_differs"
            if found["clip"]["point"]["twin_differs"]
            else "kl-and-clipping.twin_same",
            named,
        )
    ]


def clip_regions(found):
    """In how many of the six regions each rule cuts the gradient."""
    return [
        ("kl-and-clipping.clip_regions", ids(count="clip.count", cut="clip.cut", twin_cut="clip.twin_cut"))
    ]


def tokens(found):
    """Whether a product of token ratios leaves the interval that each of them keeps to."""
    results = found["tokens"]
    named = ids(
        token="settings.token_ratio",
        length="settings.length",
        ratio="tokens.ratio",
        first="tokens.first_outside",
    )
    if not results["token_inside"]:
        return [("kl-and-clipping.tokens_outside", named)]
    return [
        (
            "kl-and-clipping.tokens_stay"
            if results["first_outside"] is None
            else "kl-and-clipping.tokens_leave",
            named,
        )
    ]


def weightings(found):
    """Whether the two weightings of the second step give different totals."""
    named = ids(chain="tree.chain", wrong="tree.wrong", error="tree.wrong_error", direct="tree.direct")
    if isinstance(found["tree"]["chain"], str) or isinstance(found["tree"]["wrong"], str):
        return [("kl-and-clipping.weightings_infinite", named)]
    key = "same" if same(found["tree"]["chain"], found["tree"]["wrong"]) else "differ"
    return [("kl-and-clipping.weightings_" + key, named)]


def cost(found):
    """What the longest trajectories of the table cost, enumerated and sampled."""
    last = "cost." + str(len(found["cost"]) - 1)
    named = ids(
        length=last + ".length",
        trajectories=last + ".trajectories",
        sampled=last + ".sampled",
        vocabulary="settings.vocabulary",
        batch="batch",
    )
    return [("kl-and-clipping.cost", named)]


CHAPTER_FINDINGS = {
    "directions": directions,
    "support": support,
    "single-sample": single_sample,
    "comparison": comparison,
    "optimum": optimum,
    "negatives": negatives,
    "group": group,
    "vanishing": vanishing,
    "derivatives": derivatives,
    "clip-point": clip_point,
    "twin": twin,
    "clip-regions": clip_regions,
    "tokens": tokens,
    "weightings": weightings,
    "cost": cost,
}


def findings(results):
    """Return what each sentence of the chapter says of results: name -> [(key of the words, {placeholder: id})]."""
    return {name: finding(results[PAGE]) for name, finding in CHAPTER_FINDINGS.items()}
