"""The core itself with fifty digits: the same source files, loaded once more with mpmath's numbers in them.

What is exchanged while a file is loaded: a literal 0.1 is the float64 number taken exactly, with fifty digits behind
it; a quotient of whole numbers has fifty digits; `math` is mpmath; `float` is its number. Nothing of a formula is
written a second time, so this route finds what rounding does to a result, and no mistake in a formula: the other
routes are for those. Call what was loaded inside workdps(DIGITS).
"""

import ast
import builtins
import json
import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace

import mpmath
from mpmath import mp, mpf

from .fifty_digits import DIGITS

COMPUTE = Path(__file__).resolve().parent.parent
PACKAGE = "compute_with_fifty_digits"  # name of the copy of `compute`


def exact(value):
    """Return plain results or a setup with every float64 number in it taken exactly, as mpf. Whole numbers stay."""
    if isinstance(value, float):
        return mpf(value)
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [exact(item) for item in value]
    return value


def divide(left, right):
    """Return left / right; of two whole numbers with fifty digits."""
    if isinstance(left, int) and isinstance(right, int):
        return mpf(left) / right
    return left / right


def exp(x):
    """Return e^x. Raises OverflowError where the core's own would: where float64 has no such number."""
    if x > 709.782712893384:
        raise OverflowError("math range error")
    return mpmath.exp(x)


def loads(text):
    """Return what JSON says, every number with a point in it as mpf."""
    return json.loads(text, parse_float=lambda digits: mpf(float(digits)))


def dumps(value):
    """Return a value as JSON, every number with all its digits, as text."""
    return json.dumps(value, default=repr)


def rounded(value, digits=None):
    """Return the nearest whole number, halves to even, as round does for floats."""
    return int(mpmath.nint(value)) if digits is None else builtins.round(value, digits)


MODULES = {
    "math": SimpleNamespace(
        exp=exp,
        log=mpmath.log,
        sqrt=mpmath.sqrt,
        tanh=mpmath.tanh,
        frexp=mp.frexp,
        ldexp=mp.ldexp,
    ),
    "json": SimpleNamespace(loads=loads, dumps=dumps),
}
BUILTINS = {"float": mpf, "round": rounded, "__divide__": divide, "__mpf__": mpf}


class Exchange(ast.NodeTransformer):
    """Puts mpmath's numbers where the source has literals with a point, and __divide__ where it divides."""

    def visit_Constant(self, node):
        """A literal such as 0.1 becomes __mpf__(0.1)."""
        return self.call("__mpf__", node, node) if isinstance(node.value, float) else node

    def visit_BinOp(self, node):
        """A quotient becomes __divide__(left, right)."""
        self.generic_visit(node)
        return self.call("__divide__", node, node.left, node.right) if isinstance(node.op, ast.Div) else node

    @staticmethod
    def call(name, place, *values):
        """Return the syntax tree of a call, at the place of another node."""
        tree = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=list(values), keywords=[])
        return ast.fix_missing_locations(ast.copy_location(tree, place))


def imported(name, globals=None, locals=None, fromlist=(), level=0):
    """Import as usual, but for the modules that are exchanged."""
    if level == 0 and name in MODULES:
        return MODULES[name]
    return builtins.__import__(name, globals, locals, fromlist, level)


class Copies(MetaPathFinder, Loader):
    """Finds and loads the files of `compute` under another name."""

    def find_spec(self, name, path=None, target=None):
        """Return where a module of the copy comes from; None for any other module."""
        first, *rest = name.split(".")
        if first != PACKAGE:
            return None
        place = COMPUTE.joinpath(*rest)
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if not file.is_file():
            return None
        spec = ModuleSpec(name, self, origin=str(file), is_package=place.is_dir())
        spec.has_location = True
        if place.is_dir():
            spec.submodule_search_locations = [str(place)]
        return spec

    def exec_module(self, module):
        """Run a file with its numbers exchanged."""
        file = Path(module.__spec__.origin)
        tree = Exchange().visit(ast.parse(file.read_text(encoding="utf-8"), str(file)))
        vars(module)["__builtins__"] = vars(builtins) | BUILTINS | {"__import__": imported}
        exec(compile(tree, str(file), "exec"), vars(module))


def with_fifty_digits(name):
    """Return a module of compute, such as "kl_chapter" or "atlas.fault_atlas", whose numbers have fifty digits."""
    if not any(isinstance(finder, Copies) for finder in sys.meta_path):
        sys.meta_path.insert(0, Copies())
    with mpmath.workdps(DIGITS):
        return import_module(f"{PACKAGE}.{name}")
