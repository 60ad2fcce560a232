"""What `build.py verify` prints: every route, what it confirmed, and everything that does not agree."""

from __future__ import annotations

from ..reading.problems import Phrase, speaks_chinese
from ..verifying.verification import PEERS_ALLOWED, Record, confirmed

WIDTH = 12  # of the columns

HEAD = (
    ("route", "numbers", "largest difference", "allowed"),
    ("途径", "个数", "最大差", "允许"),
)


def report(record: Record) -> str:
    """Return the table of routes and libraries, and the mismatches, in the language of the environment."""
    chinese = speaks_chinese()
    lines = [row(HEAD[chinese])]
    for name, found in record["routes"].items():
        if "lacks" in found:
            skipped: Phrase = (f"skipped: {found['lacks'][0]}", f"跳过：{found['lacks'][1]}")
            lines.append(f"{name:{WIDTH}} {skipped[chinese]}")
        else:
            lines.append(row((name, found["count"], f"{found['largest']:.2e}", found["allowed"])))
    for name, library in (record["peers"] or {}).items():
        lines.append(row((name, library["count"], f"{library['largest']:.2e}", PEERS_ALLOWED)))
    lines += [phrase[chinese] for phrase in totals(record)]
    lines += [wrong(record, mismatch)[chinese] for mismatch in record["mismatches"]]
    lines += [shown_wrong(number)[chinese] for number in record["shown"]["wrong"]]
    return "\n".join(lines)


def row(cells: tuple[object, ...]) -> str:
    """Return a line of the table."""
    name, count, largest, allowed = cells
    return f"{name!s:{WIDTH + 2}} {count!s:>{WIDTH}} {largest!s:>{WIDTH + 8}} {allowed!s:>{WIDTH}}"


def totals(record: Record) -> list[Phrase]:
    """Return the sentences below the table."""
    reached, two = len(record["numbers"]), sum(len(found) > 1 for found in record["numbers"].values())
    found: list[Phrase] = [
        (
            f"{record['registered']} numbers: {record['given']} are given in a config, {reached} were computed again "
            f"({two} of them by two routes or more), {len(record['unreached'])} were not.",
            f"共 {record['registered']} 个数：{record['given']} 个由配置给定，{reached} 个经过复算"
            f"（其中 {two} 个有两条或更多途径），{len(record['unreached'])} 个没有。",
        ),
        (
            f"Digits shown: {record['shown']['count']} texts compared with more digits, "
            f"{len(record['shown']['wrong'])} wrong.",
            f"显示的数字：{record['shown']['count']} 处与更多位数的值比较，{len(record['shown']['wrong'])} 处有误。",
        ),
    ]
    if record["peers"] is None:
        found.append(("Libraries' figures: tests/data is not here.", "公开库的结果：此处没有 tests/data。"))
    if confirmed(record):
        found.append(("Everything agrees. A build now shows it.", "全部相符；此后的构建会显示这一结果。"))
    else:
        found.append(
            (
                f"{record['mismatched']} differences are not allowed:",
                f"{record['mismatched']} 处超出允许的差：",
            )
        )
    return found


def wrong(record: Record, mismatch: dict[str, object]) -> Phrase:
    """Return the line of a number that a route does not confirm."""
    number, route = mismatch["id"], mismatch["route"]
    value, other = mismatch["value"], mismatch["other"]
    return (
        f"{number}: {value}, by {route}: {other}",
        f"{number}：{value}，{route} 的结果：{other}",
    )


def shown_wrong(number: str) -> Phrase:
    """Return the line of a number whose digits are not right."""
    return f"{number}: the digits shown are not right", f"{number}：显示的数字有误"
