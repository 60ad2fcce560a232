"""What a condition is worth on given results: true, false, or neither where a number is undefined or not there.

A condition is a tree of tuples (publish/words/conditions.py makes it from text):
    ("value", number | word | True | False)
    ("id", (part, …))                          a path into the results; "*" stands for every entry, in order
    ("compare", (operator, …), (tree, …))      chained: a < b < c; operators < <= > >= = !=
    ("and", a, b)  ("or", a, b)  ("not", a)
    ("+", a, b)  ("-", a, b)  ("*", a, b)  ("/", a, b)  ("minus", a)
    ("call", name, (tree, …))                  see FUNCTIONS

A starred id is a list; comparison, arithmetic and logic go through lists entry by entry, and all, any and count make
one value of a list again. Infinite results ("inf", "-inf") compare as such. ABSENT is what a place without a number
holds (None in results, or no such place): all, any, count, rises, rising and falling pass over it. UNDEFINED is "nan",
0/0, inf − inf, and comparing things of different kinds. Logic is three-valued: what is neither true nor false does
not hold, and neither does its negation.
"""

import operator
from itertools import pairwise

ABSENT = None
UNDEFINED = "nan"
INFINITE = {"inf": float("inf"), "-inf": float("-inf")}
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


class Word(str):
    """A word among results or in a condition, as the name of a setting; never a number in disguise."""


def holds(tree, results):
    """Tell whether a condition is true of results; undefined and absent values make it not hold."""
    return evaluate(tree, results) is True


def evaluate(tree, results):
    """Return the value of a tree: True, False, a number, a Word, ABSENT, UNDEFINED, or a list of such values."""
    kind = tree[0]
    if kind == "value":
        return taken(tree[1])
    if kind == "id":
        return look_up(results, tree[1])
    if kind == "compare":
        values = [evaluate(part, results) for part in tree[2]]
        pairs = [each(COMPARE[sign], left, right) for sign, left, right in zip(tree[1], values, values[1:])]
        found = pairs[0]
        for other in pairs[1:]:
            found = each(conjunction, found, other)
        return found
    if kind == "call":
        return FUNCTIONS[tree[1]](*[evaluate(part, results) for part in tree[2]])
    return each(OPERATIONS[kind], *[evaluate(part, results) for part in tree[1:]])


def taken(value):
    """Return a value of results or of a condition in the form that this module reckons with."""
    if isinstance(value, str):
        return UNDEFINED if value == UNDEFINED else INFINITE.get(value, Word(value))
    if isinstance(value, float) and value != value:
        return UNDEFINED
    return value


def look_up(results, path):
    """Return what stands at a path: a list where the path has a "*", else one value; ABSENT where nothing stands."""
    places = [results]
    for part in path:
        if part == "*":
            places = [item for place in places for item in entries(place)]
        else:
            places = [entry(place, part) for place in places]
    values = [ABSENT if isinstance(place, (dict, list)) else taken(place) for place in places]
    return values if "*" in path else values[0]


def entries(place):
    """Return all entries of a list or table, in order; none of anything else."""
    return list(place.values()) if isinstance(place, dict) else place if isinstance(place, list) else []


def entry(place, part):
    """Return one entry of a list or table, ABSENT if there is none."""
    if isinstance(place, dict):
        return place.get(part, ABSENT)
    if isinstance(place, list) and part.isdigit() and int(part) < len(place):
        return place[int(part)]
    return ABSENT


def each(function, *values):
    """Apply a function entry by entry; a single value goes with every entry. UNDEFINED where lengths differ."""
    lengths = {len(value) for value in values if isinstance(value, list)}
    if not lengths:
        return function(*values)
    if len(lengths) > 1:
        return UNDEFINED
    spread = [value if isinstance(value, list) else [value] * max(lengths) for value in values]
    return [function(*items) for items in zip(*spread)]


def missing(*values):
    """Return ABSENT or UNDEFINED if one of the values is, else False. A word is never undefined."""
    if any([value is ABSENT for value in values]):
        return ABSENT
    if any([is_undefined(value) for value in values]):
        return UNDEFINED
    return False


def is_undefined(value):
    """Tell whether a value is UNDEFINED."""
    return isinstance(value, str) and not isinstance(value, Word)


def is_number(value):
    """Tell whether a value is a number; True and False are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def comparing(sign):
    """Return the function that compares two values of one kind; words and truth values are the same or not."""

    def compare(left, right):
        if (gap := missing(left, right)) is not False:
            return gap
        ordered = is_number(left) and is_number(right)
        alike = sign in ("=", "!=") and type(left) is type(right)
        return COMPARISONS[sign](left, right) if ordered or alike else UNDEFINED

    return compare


def reckoning(sign):
    """Return the function that adds, subtracts, multiplies or divides two numbers."""

    def reckon(left, right):
        if (gap := missing(left, right)) is not False:
            return gap
        if not is_number(left) or not is_number(right) or (sign == "/" and right == 0):
            return UNDEFINED
        try:
            return taken(ARITHMETIC[sign](left, right))
        except OverflowError:  # a whole number beyond floating point
            return UNDEFINED

    return reckon


def minus(value):
    """Return the negative of a number."""
    return reckoning("-")(0, value)


def truth(value):
    """Return a value if it is a truth value or missing; a number or word is neither true nor false."""
    return value if isinstance(value, bool) or missing(value) is not False else UNDEFINED


def negation(value):
    """Return not value; what is missing stays so."""
    value = truth(value)
    return not value if isinstance(value, bool) else value


def conjunction(left, right):
    """Return left and right: False if one is, whatever the other."""
    left, right = truth(left), truth(right)
    if left is False or right is False:
        return False
    gap = missing(left, right)
    return True if gap is False else gap


def disjunction(left, right):
    """Return left or right: True if one is, whatever the other."""
    return negation(conjunction(negation(left), negation(right)))


def present(values):
    """Return the entries of a list that are not ABSENT; UNDEFINED instead of a list for a single value or none."""
    there = [value for value in values if value is not ABSENT] if isinstance(values, list) else []
    return there or UNDEFINED


def every(values):
    """Tell whether all entries that are there are true; UNDEFINED where there are none."""
    there = present(values)
    if is_undefined(there):
        return UNDEFINED
    found = True
    for value in there:
        found = conjunction(found, value)
    return found


def some(values):
    """Tell whether one entry at least is true; UNDEFINED where there are none."""
    there = present(values)
    return UNDEFINED if is_undefined(there) else negation(every([negation(value) for value in there]))


def count(values):
    """Return how many entries are true; UNDEFINED where one is neither true nor false."""
    there = present(values)
    if is_undefined(there) or any([not isinstance(value, bool) for value in there]):
        return UNDEFINED
    return sum(there)


def near(left, right, tolerance):
    """Tell whether two numbers differ by at most a tolerance; two infinite ones of one sign have no difference."""
    difference = each(reckoning("-"), left, right)
    wide = each(COMPARE[">"], difference, tolerance)
    below = each(COMPARE["<"], difference, each(minus, tolerance))
    return each(conjunction, each(negation, wide), each(negation, below))


def steps(sign):
    """Return the function that compares each entry that is there with the one before it, as a list."""

    def compare(values):
        there = present(values)
        if is_undefined(there):
            return []
        return [COMPARE[sign](after, before) for before, after in pairwise(there)]

    return compare


def last(values):
    """Return the last entry that is there."""
    there = present(values)
    return UNDEFINED if is_undefined(there) else there[-1]


COMPARE = {sign: comparing(sign) for sign in COMPARISONS}
OPERATIONS = {sign: reckoning(sign) for sign in ARITHMETIC}
OPERATIONS["minus"] = minus
OPERATIONS["not"] = negation
OPERATIONS["and"] = conjunction
OPERATIONS["or"] = disjunction
FUNCTIONS = {
    "all": every,
    "any": some,
    "count": count,
    "near": near,
    "rising": lambda values: every(steps(">")(values)),
    "falling": lambda values: every(steps("<")(values)),
    "rises": lambda values: some(steps(">")(values)),
    "last": last,
}
OF_LISTS = tuple([name for name in FUNCTIONS if name != "near"])  # which make one value of a list
ARGUMENTS = {name: 3 if name == "near" else 1 for name in FUNCTIONS}
