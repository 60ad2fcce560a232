"""The experiment's results: from `.cache/` where setup, code and numpy's version are the same, trained anew otherwise.

numpy is imported only to train.
"""

from __future__ import annotations

import importlib.metadata
import json
from pathlib import Path
from typing import Any

from ..reading.problems import Problem, Problems
from ..writing import cache
from ..writing.cache import CACHE, Results
from .cost import estimate
from .progress import Progress

CODE = Path(__file__).resolve().parents[2] / "compute" / "digits"
KIND = "digits"

in_memory: dict[str, Results] = {}  # of this process: the last result, for a server without a writable folder


def digits_results(setup: dict[str, Any], folder: Path = CACHE) -> Results:
    """Return the experiment's results, see compute/digits/experiment.py. Raises Problems when numpy is missing."""
    key = key_of(setup)
    found = in_memory.get(key) or cache.read(folder, KIND, key)
    if found is None:
        found = trained(setup)
        cache.write(folder, KIND, key, found)
    in_memory.clear()
    in_memory[key] = found
    return found


def key_of(setup: dict[str, Any]) -> str:
    """Return the SHA-256 of all that the results depend on: setup, code, numpy's version."""
    code = [CODE.parent / "plain.py", *sorted(CODE.glob("*.py"))]
    return cache.key_of(setup, code, numpy_version())


def numpy_version() -> str:
    """Return numpy's version without importing it; "" where there is none."""
    try:
        return importlib.metadata.version("numpy")
    except importlib.metadata.PackageNotFoundError:
        return ""


def trained(setup: dict[str, Any]) -> Results:
    """Run the experiment, saying how far it is; as JSON gives it back, so that it is the same as from the cache."""
    try:
        from compute.digits.experiment import experiment
    except ImportError as error:
        if error.name != "numpy":
            raise
        what = (
            "is not installed, and the results of the experiment are not cached; run: "
            "python -m pip install -r publish/requirements.txt",
            "尚未安装，且实验结果没有缓存；请运行：python -m pip install -r publish/requirements.txt",
        )
        raise Problems([Problem("numpy", None, "", what)]) from None
    with Progress(estimate(setup)) as progress:
        results: Results = json.loads(cache.canonical(experiment(setup, progress)))
    return results
