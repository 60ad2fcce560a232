"""Run every benchmark and print a table: what, ours, the other, the ratio, the goal."""

from __future__ import annotations

import sys

from tests.benchmarks import build, digits, live, reload, state, update

BENCHMARKS = {
    "update": update.run,
    "digits": digits.run,
    "build": build.run,
    "reload": reload.run,
    "state": state.run,
    "live": live.run,
}


def main(names: list[str]) -> int:
    for name in names or BENCHMARKS:
        if name not in BENCHMARKS:
            print(f"no benchmark {name}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
            return 2
        for line in BENCHMARKS[name]():
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
