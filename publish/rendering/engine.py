"""The Python that runs in the reader's tab: MicroPython as classic scripts, and the core's own files.

A page opened from disk can load classic scripts only: no module, no fetch, no Blob. So the vendored module is made
one by a few edits, and the WebAssembly and the core's files become scripts that set a global.
"""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from pathlib import Path

from .parts import wrapped

# (in the vendored module, instead); each stands there exactly as often as said.
EDITS = (
    ("export default _createMicroPythonModule;export ", "", 1),
    ("let Module={locateFile", "let Module={wasmBinary:options.wasmBinary,locateFile", 1),
    ("import.meta.url", '""', None),
)
COMMAND_LINE = (
    "if(globalThis.loadMicroPython=loadMicroPython,",
    "class PyProxy",
)  # cut from one to the other


@cache
def classic_module(module: str) -> str:
    """Return the vendored module as a classic script that sets globalThis.loadMicroPython.

    Raises ValueError when the module is not as expected: a new version needs its edits looked at.
    """
    start, end = COMMAND_LINE
    if module.count(start) != 1 or end not in module[module.index(start) :]:
        raise ValueError("micropython.mjs: its command-line part is not where it was")
    before, rest = module.split(start)
    module = before + "globalThis.loadMicroPython=loadMicroPython;" + rest[rest.index(end) :]
    for old, new, times in EDITS:
        if old not in module or (times is not None and module.count(old) != times):
            raise ValueError(f"micropython.mjs: {old!r} is not there as expected")
        module = module.replace(old, new)
    return wrapped("RLPU_MICROPYTHON", module)


@cache
def wasm_script(wasm: bytes) -> str:
    """Return a script that sets RLPU_WASM to the gzipped WebAssembly in base64."""
    packed = base64.b64encode(gzip.compress(wasm, compresslevel=6, mtime=0)).decode()
    return f'globalThis.RLPU_WASM="{packed}";\n'


def core_script(compute: Path) -> str:
    """Return a script that sets RLPU_CORE to path → text of the core's files."""
    files = {
        f"compute/{path.name}": path.read_text(encoding="utf-8") for path in sorted(compute.glob("*.py"))
    }
    return f"globalThis.RLPU_CORE={json.dumps(files, ensure_ascii=False)};\n"


def write_engine(vendor: Path, compute: Path, target: Path) -> None:
    """Write the engine's scripts, and the licence of MicroPython beside them."""
    target.mkdir(parents=True)
    scripts = {
        "micropython.js": classic_module((vendor / "micropython.mjs").read_text(encoding="utf-8")),
        "wasm.js": wasm_script((vendor / "micropython.wasm").read_bytes()),
        "core.js": core_script(compute),
        "LICENSE.txt": (vendor / "LICENSE.txt").read_text(encoding="utf-8"),
    }
    for name, text in scripts.items():
        (target / name).write_bytes(text.encode("utf-8"))
