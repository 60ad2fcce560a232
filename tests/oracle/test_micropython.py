"""The core under MicroPython, in a browser, against CPython; and what it may use so that it runs in both."""

import ast
import functools
import http.server
import json
import threading
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import sync_playwright

from compute import digits_live, kl_live
from compute.digits.experiment import experiment
from compute.evidence import evidence
from compute.expectation import expectation
from compute.path_difference import path_difference
from compute.paths import PATHS
from compute.state import curves, state
from tests.browser_tools import LAUNCH_ARGS, chromium_path
from tests.configurations import (
    BETAS,
    REWARDS,
    digits_setup,
    kl_settings,
    kl_setup,
    one_token_setup,
    random_setup,
    shipped_expectation,
    shipped_settings,
    shipped_setup,
)

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "templates" / "assets" / "vendor" / "micropython"
CORE = sorted((ROOT / "compute").glob("*.py"))  # compute/checks is not part of it

ALLOWED_MODULES = {"math", "collections", "json"}
ALSO_ALLOWED = {"packed.py": {"binascii", "struct"}}  # which MicroPython's WebAssembly build has
ABSENT_NAMES = {"fsum", "prod"}
# sum() of floats is compensated in newer CPythons, so only sums of whole numbers are allowed, each by name.
INTEGER_SUMS = {
    "sum(valid.values())",
    "sum(sizes[n:n + 2])",
    "sum([len(response['actions']) for response in setup['responses']])",
}

# Runs every request in the page's own way, one call each: JSON in, JSON out.
GLUE = """
import json
from compute.evidence import evidence
from compute import digits_live, kl_live
from compute.expectation import expectation
from compute.path_difference import path_difference
from compute.state import curves, state_json

def answer(name, text):
    if name == "state":
        return state_json(text)
    request = json.loads(text)
    if name == "curves":
        return json.dumps(curves(request["setup"], request["settings"], request["betas"]))
    if name == "kl":
        kl_live.begin(json.dumps(request["setup"]))
        return kl_live.show(json.dumps(request["settings"]))
    if name == "digits":
        digits_live.begin(json.dumps(request["live"]))
        for part in request["parts"]:
            digits_live.load(json.dumps(part))
        return digits_live.show(json.dumps(request["settings"]))
    if name == "path_difference":
        return json.dumps(path_difference(request["setup"], request["settings"]))
    if name == "evidence":
        return json.dumps(evidence(request["setup"], request["settings"]))
    return json.dumps(expectation(request["setup"], request["parameters"]))
"""

PAGE = """async ({files, modules, glue, requests}) => {
    const {loadMicroPython} = await import("/micropython.mjs");
    const engine = await loadMicroPython({url: "/micropython.wasm"});
    engine.FS.mkdir("/core");
    engine.FS.mkdir("/core/compute");
    for (const [name, text] of Object.entries(files)) engine.FS.writeFile("/core/compute/" + name, text);
    engine.runPython("import sys; sys.path.append('/core')");
    for (const module of modules) engine.runPython("import compute." + module);
    engine.runPython(glue);
    const answer = engine.globals.get("answer");
    return requests.map(([name, text]) => answer(name, text));
}"""


def state_requests():
    """The shipped configuration under mixed controls, random shapes, and the edges of float64."""
    rng = Random(0)
    for n in range(24):
        settings = shipped_settings(
            normalization=rng.choice(["token", "response"]),
            keep=n % 5,
            beta=rng.choice(BETAS),
            rewards=sorted(REWARDS)[n % 4],
            step=rng.choice([0, 1, 3, 20]),
            at=f"{rng.randrange(4)}.{rng.randrange(-1, 4)}",
        )
        yield shipped_setup(), settings
    for seed in range(24):
        lengths = [rng.randint(1, 8) for _ in range(rng.randint(1, 6))]
        setup = random_setup(seed, rng.randint(1, 8), rng.randint(2, 12), lengths)
        settings = shipped_settings(
            normalization=rng.choice(["token", "response"]),
            keep=rng.randint(0, 9),
            clip_epsilon=rng.uniform(0.02, 0.9),
            rewards="given",
            step=rng.randint(0, 4),
        )
        yield setup, settings
    for current, old, actions in (
        ([700.0, -700.0, 0.0], [700.0, -700.0, 0.0], (1, 2)),  # probabilities that underflow
        ([700.0, -700.0], [-700.0, 700.0], (0, 0)),  # a ratio beyond float64
        ([-700.0, 700.0], [700.0, -700.0], (0, 0)),  # a ratio of 0
    ):
        yield one_token_setup(current, old, actions), shipped_settings(rewards="given", step=1)
    for learning_rate in (1e3, 1e12, 1e300):
        yield shipped_setup(), shipped_settings(learning_rate=learning_rate, step=5)
    yield shipped_setup(), shipped_settings(rewards=[0.1, 0.1, 0.1, 0.1])
    yield random_setup(1, 8, 12, [32] * 16), shipped_settings(keep=32, rewards="given", step=1)


def path_states():
    """Every implementation path: the shipped configuration, random shapes, and a ratio beyond float64."""
    rng = Random(1)
    for n, path in enumerate(PATHS):
        for step in (0, 12):
            settings = shipped_settings(
                path=path,
                normalization=rng.choice(["token", "response"]),
                keep=rng.choice([1, 2, 4]),
                beta=rng.choice(BETAS),
                step=step,
                at=f"{rng.randrange(4)}.{rng.randrange(-1, 4)}",
            )
            yield shipped_setup(), settings
        yield shipped_setup(), shipped_settings(path=path, keep=0, step=1)
        setup = random_setup(n, rng.randint(1, 4), rng.randint(2, 5), [3, 1, 4], size=0.7)
        yield setup, shipped_settings(path=path, rewards="given", step=2)
        setup = one_token_setup([700.0, -700.0], [-700.0, 700.0], (0, 0))
        yield setup, shipped_settings(path=path, rewards="given", step=1)


def kl_states():
    """The chapter on KL and clipping: its example, random states, and its extremes."""
    yield kl_settings()
    rng = Random(0)
    for n in (1, 2, 3, 16, 33, 64):
        yield kl_settings(
            p=rng.randint(1, 99) / 100,
            q=rng.randint(1, 99) / 100,
            rewards=[rng.uniform(-2, 2), rng.uniform(-2, 2)],
            beta=rng.uniform(0, 2),
            n=n,
            ratio=rng.uniform(0, 3),
            advantage=rng.uniform(-3, 3),
            clip_epsilon=rng.uniform(0.05, 0.9),
            token_ratio=rng.uniform(0.5, 2),
            length=rng.randint(1, 50),
            tree_p=rng.random(),
            tree_q=rng.random(),
            tree_kl=[rng.uniform(0, 0.69), rng.uniform(0, 0.69)],
            vocabulary=rng.randint(2, 50000),
        )
    for p, q in ((0.0, 0.0), (0.0, 0.5), (0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.8, 1.0), (1e-6, 1 - 1e-6)):
        yield kl_settings(p=p, q=q, tree_p=p, tree_q=q, n=64)
        yield kl_settings(p=p, q=q, tree_p=q, tree_q=p, beta=0.0)
    yield kl_settings(p=0.8, q=0.2, n=64)  # half of each path: exactly 0
    yield kl_settings(beta=1e-6, advantage=0.0, token_ratio=50.0, length=200)  # e^(10^6), 50^200
    yield kl_settings(token_ratio=0.01, length=200, tree_kl=[0.6931471805599453, 1e-9], ratio=0.8)


def digits_requests():
    """The trained network of a small and of a shipped size: checkpoints, an update that is none, no parts at all."""
    for hidden in (6, 32):
        results = experiment(digits_setup(hidden=hidden))
        parts = results["checkpoints"]["parts"] + results["grids"]["betas"]
        for beta, seed, update in ((0.0, 5, 20), (0.5, 5, 10), (0.5, 5, 0), (0.5, 0, 20), (0.5, 5, 7)):
            settings = {
                "beta": beta,
                "seed": seed,
                "update": update,
                "a": 7,
                "b": hidden % 10,
                "first": 1,
                "second": 3,
            }
            yield {"live": results["live"], "parts": parts, "settings": settings}
        yield {"live": results["live"], "parts": [], "settings": settings}


def requests():
    """Every request: the function's name, its argument, and what CPython answers."""
    for setup, settings in state_requests():
        yield "state", {"setup": setup, "settings": settings}, state(setup, settings)
    for setup, settings in path_states():
        request = {"setup": setup, "settings": settings}
        yield "state", request, state(setup, settings)
        yield "path_difference", request, path_difference(setup, settings)
    for request in digits_requests():
        digits_live.begin(json.dumps(request["live"]))
        for part in request["parts"]:
            digits_live.load(json.dumps(part))
        yield "digits", request, json.loads(digits_live.show(json.dumps(request["settings"])))
    for rewards in REWARDS:
        settings = shipped_settings(rewards=rewards, step=7)
        yield (
            "evidence",
            {"setup": shipped_setup(), "settings": settings},
            evidence(shipped_setup(), settings),
        )
    for parameters in (
        shipped_setup()["initial"],
        [[0.0] * 3] * 2,
        [[500.0, -500.0, 0.0], [30.0, 2.0, -1.0]],
    ):
        request = {"setup": shipped_expectation(), "parameters": parameters}
        yield "expectation", request, expectation(shipped_expectation(), parameters)
    kl_live.begin(json.dumps(kl_setup()))
    for settings in kl_states():
        expected = json.loads(kl_live.show(json.dumps(settings)))
        yield "kl", {"setup": kl_setup(), "settings": settings}, expected
    request = {"setup": shipped_setup(), "settings": shipped_settings(), "betas": [0.0, 0.5]}
    yield "curves", request, curves(shipped_setup(), shipped_settings(), [0.0, 0.5])


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the engine's files, and an empty page as the place to load them."""

    def guess_type(self, path):
        # Not from the machine's own table, which need not know them.
        kinds = {".mjs": "text/javascript", ".wasm": "application/wasm"}
        return kinds.get(Path(path).suffix, "text/plain")

    def do_GET(self):
        if self.path != "/empty.html":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html>")

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=ENGINE))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def differences(found, expected, path=""):
    """Yield where two results differ: floats by more than 1e-12, relative above 1, anything else at all."""
    if type(found) is not type(expected):
        yield path, found, expected
    elif isinstance(expected, dict):
        if sorted(found) != sorted(expected):
            yield path, sorted(found), sorted(expected)
        for key in set(found) & set(expected):
            yield from differences(found[key], expected[key], f"{path}.{key}")
    elif isinstance(expected, list):
        if len(found) != len(expected):
            yield path, len(found), len(expected)
        for index, pair in enumerate(zip(found, expected)):
            yield from differences(*pair, f"{path}.{index}")
    elif isinstance(expected, float):
        if not abs(found - expected) <= 1e-12 * max(1.0, abs(expected)):
            yield path, found, expected
    elif found != expected:
        yield path, found, expected


def test_the_core_gives_the_same_numbers_under_micropython(address):
    cases = list(requests())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_ARGS)
        page = browser.new_page()
        page.goto(f"{address}/empty.html")
        answers = page.evaluate(
            PAGE,
            {
                "files": {path.name: path.read_text(encoding="utf-8") for path in CORE},
                "modules": [path.stem for path in CORE if path.stem != "__init__"],
                "glue": GLUE,
                "requests": [[name, json.dumps(request)] for name, request, _ in cases],
            },
        )
        browser.close()
    assert len(answers) == len(cases) > 80
    for answer, (name, request, expected) in zip(answers, cases):
        wrong = list(differences(json.loads(answer), json.loads(json.dumps(expected))))
        assert wrong == [], (name, request.get("settings"), len(wrong))


def test_a_difference_is_noticed():
    expected = {"a": [1.0, 2, "inf", None, True], "b": {"c": 1e6}}
    assert list(differences({"a": [1.0 + 1e-13, 2, "inf", None, True], "b": {"c": 1e6}}, expected)) == []
    for wrong in ([1.0 + 2e-12, 2, "inf", None, True], [1.0, 2.0, "inf", None, True], [1.0, 2, "inf", None]):
        assert list(differences({"a": wrong, "b": {"c": 1e6}}, expected))


def imported_modules(tree):
    """The modules that a file imports; its own package as "."."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level == 1 else node.module


def unportable(node):
    """What is wrong with one piece of syntax, or None."""
    if isinstance(node, ast.Match):
        return "match statement"
    if isinstance(node, ast.arguments) and node.posonlyargs:
        return "positional-only parameters"
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and any(
        isinstance(e, ast.Starred) for e in node.elts
    ):
        return "starred display"
    if isinstance(node, (ast.Name, ast.Attribute, ast.alias)):
        name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
        return name if name in ABSENT_NAMES else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "zip" and node.keywords:
            return "zip with a keyword"
        if node.func.id == "sum" and ast.unparse(node) not in INTEGER_SUMS:
            return "sum() of what may be floats"
    return None


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_the_core_is_plain_python(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert set(imported_modules(tree)) <= {*ALLOWED_MODULES, *ALSO_ALLOWED.get(path.name, ()), "."}
    assert [(node.lineno, unportable(node)) for node in ast.walk(tree) if unportable(node)] == []


@pytest.mark.parametrize(
    "text",
    [
        "match x:\n    case 1:\n        pass",
        "def f(a, /):\n    pass",
        "[*a, *b]",
        "zip(a, b, strict=True)",
        "sum(values)",
        "math.fsum(values)",
        "from math import prod",
    ],
)
def test_what_does_not_run_everywhere_is_noticed(text):
    assert any(unportable(node) for node in ast.walk(ast.parse(text)))


def test_foreign_modules_are_noticed():
    text = "import dataclasses\nfrom typing import Any\nfrom . import plain\nfrom .plain import plain\nimport math"
    assert set(imported_modules(ast.parse(text))) == {"dataclasses", "typing", ".", "math"}
