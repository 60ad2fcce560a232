"""A TOML file as its author sees it: its values, the line of every key, and every spot that is not TOML."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from .problems import Phrase, Problem, shortened

KeyPath = tuple[str | int, ...]

FULL_WIDTH = {
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "＂": '"',
    "，": ",",
    "：": ":",
    "＝": "=",
    "［": "[",
    "］": "]",
}
FULL_WIDTH |= {
    "【": "[",
    "】": "]",
    "。": ".",
    "．": ".",
    "、": ",",
    "－": "-",
    "＋": "+",
    "＃": "#",
    "\u3000": " ",
}
FULL_WIDTH |= {chr(ord("０") + n): str(n) for n in range(10)}

HALF_WIDTH = str.maketrans(FULL_WIDTH)

KEY = re.compile(r"\s*[^\s\[\]#=,]+\s*=")
HEADER = re.compile(r"\s*\[\[?\s*[A-Za-z_]")
STATEMENT = re.compile(f"{KEY.pattern}|{HEADER.pattern}")
PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
UNCLOSED = ("Unclosed array", "Unclosed inline table", "Invalid value")
LONG_NUMBER = re.compile(r"\d(_?\d){4300}")
MOST_SYNTAX_PROBLEMS = 30


class TomlText:
    """A parsed file: `data` (values), `problems` (what is not TOML), `line(path)`, `broken` (text was dropped)."""

    def __init__(self, name: str, raw: bytes) -> None:
        self.name = name
        self.problems: list[Problem] = []
        text = self._decode(raw)
        self.broken = bool(self.problems)
        self._text, self.data = self._parse(text)
        self._lines: dict[KeyPath, int] | None = None

    def _decode(self, raw: bytes) -> str:
        """Return the text; a byte-order mark and Windows line ends are fine, other encodings are not."""
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            self._add(1, "", ("saved as UTF-16; save it as UTF-8", "文件是 UTF-16 编码，请另存为 UTF-8"))
            return ""
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            self._add(line, "", ("not UTF-8 text; save it as UTF-8", "不是 UTF-8 文本，请另存为 UTF-8"))
            return ""
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            self._add(line, "", ("a binary file, not TOML text", "是二进制文件，不是 TOML 文本"))
            return ""
        if not text.strip():
            self._add(None, "", ("the file is empty", "文件是空的"))
        return text.replace("\r\n", "\n")

    def _parse(self, text: str) -> tuple[str, dict[str, Any]]:
        """Parse; after each mistake repair or drop the statement that has it and go on, so that all are found."""
        for _ in range(MOST_SYNTAX_PROBLEMS):
            try:
                return text, tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                text = self._note_syntax(text.split("\n"), str(error))
            except RecursionError:
                self._add(None, "", ("brackets nested too deeply", "括号嵌套过深"))
                break
            except ValueError:  # Python refuses to read whole numbers of thousands of digits
                number = (
                    text.count("\n", 0, match.start()) + 1 if (match := LONG_NUMBER.search(text)) else None
                )
                self._add(number, "", ("a number with too many digits", "数字的位数过多"))
                break
        self.broken = True
        return "", {}

    def _note_syntax(self, lines: list[str], message: str) -> str:
        """Note one syntax mistake; return the text with its statement in half-width characters, or without it."""
        place = PLACE.search(message)
        message = PLACE.sub("", message)
        number = int(place[1]) if place and place[1] else None
        start, end = faulty_lines(lines, message, number, int(place[2]) if place and place[2] else 1)
        if message.startswith("Cannot overwrite a value") or "twice" in message:
            first = first_line_of(lines, lines[start - 1], start)
            hint: Phrase | None = (
                (f"first given in line {first}", f"第 {first} 行已经写过") if first else None
            )
            key = lines[start - 1].split("=")[0].strip()
            self._add(start, "", (f"{key}: given twice", f"{key}：写了两次"), hint)
        else:
            number = number if number and start <= number <= end else start
            shown = shortened(lines[number - 1].strip())
            what: Phrase = (f"not TOML: {shown} ({message})", f"不是合法的 TOML：{shown}（{message}）")
            self._add(number, "", what, full_width_hint(lines[start - 1 : end]))
        statement = "\n".join(lines[start - 1 : end])
        repaired = statement.translate(HALF_WIDTH)
        if is_toml(statement) or not is_toml(repaired):
            while HEADER.match(repaired) and end < len(lines) and not HEADER.match(lines[end]):
                end += 1  # its keys would be taken for those of the table above
            repaired = "\n" * (end - start)
            self.broken = True
        return "\n".join([*lines[: start - 1], repaired, *lines[end:]])

    def _add(self, line: int | None, key: str, what: Phrase, hint: Phrase | None = None) -> None:
        self.problems.append(Problem(self.name, line, key, what, hint))

    def line(self, path: KeyPath) -> int:
        """Return the line of a key path, or of the nearest thing around it that has one."""
        if self._lines is None:
            self._lines = line_index(self._text)
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)


def is_toml(text: str) -> bool:
    """Tell whether some lines are TOML by themselves."""
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def faulty_lines(lines: list[str], message: str, number: int | None, column: int) -> tuple[int, int]:
    """Return first and last line of the statement that has a mistake; the parser met it in line `number`."""
    if number is None:  # at the end of the text
        quotes = [n for n, line in enumerate(lines, 1) if '"""' in line or "'''" in line]
        start = quotes[-1] if quotes and message == "Unterminated string" else key_line(lines, len(lines))
        return start, len(lines)
    line = lines[number - 1]
    if message in UNCLOSED and STATEMENT.match(line) and not line[: column - 1].strip():
        return key_line(lines, number - 1), number - 1  # left open above, and this is the next statement
    start = key_line(lines, number)
    if start < number and is_toml("\n".join(lines[start - 1 : number - 1])):
        start = number
    end = number
    while end < len(lines) and is_open(lines[start - 1 : end]) and not STATEMENT.match(lines[end]):
        end += 1
    return start, end


def key_line(lines: list[str], end: int) -> int:
    """Return the number of the last line, up to line `end`, that begins with a key."""
    return next((number for number in range(end, 0, -1) if KEY.match(lines[number - 1])), max(end, 1))


def is_open(lines: list[str]) -> bool:
    """Tell whether a bracket opens in some lines and does not close."""
    text = "\n".join(line.split("#")[0] for line in lines).translate(HALF_WIDTH)
    return text.count("[") > text.count("]")


def first_line_of(lines: list[str], statement: str, before: int) -> int | None:
    """Return the nearest line above `before` that begins with the same key or header."""
    key = statement.split("=")[0].strip()
    for number in range(before - 1, 0, -1):
        if lines[number - 1].split("=")[0].strip() == key:
            return number
    return None


def full_width_hint(lines: list[str]) -> Phrase | None:
    """Return a hint naming the full-width characters typed where TOML needs plain ones, outside comments."""
    typed = [c for line in lines for c in line.split("#")[0] if c in FULL_WIDTH]
    if not typed:
        return None

    def pairs(space: str) -> str:
        return " ".join(f"{c} → {FULL_WIDTH[c] if c != chr(0x3000) else space}" for c in dict.fromkeys(typed))

    return f"full-width characters, write: {pairs('space')}", f"含全角字符，请改为半角：{pairs('空格')}"


def line_index(text: str) -> dict[KeyPath, int]:
    """Return key path → line number (from 1) of every table, key and array element of valid TOML."""
    import tree_sitter_toml
    from tree_sitter import Language, Node, Parser

    lines: dict[KeyPath, int] = {}
    counts: Counter[KeyPath] = Counter()

    def names(node: Node) -> KeyPath:
        if node.type == "dotted_key":
            return tuple(name for child in node.named_children for name in names(child))
        return (next(iter(tomllib.loads(f"{(node.text or b'').decode()} = 0"))),)

    def value(node: Node, path: KeyPath) -> None:
        if node.type == "array":
            for index, child in enumerate(c for c in node.named_children if c.type != "comment"):
                lines[(*path, index)] = child.start_point[0] + 1
                value(child, (*path, index))
        elif node.type == "inline_table":
            pairs(node, path)

    def pairs(node: Node, prefix: KeyPath) -> None:
        for pair in node.named_children:
            if pair.type == "pair":
                path = (*prefix, *names(pair.named_children[0]))
                for end in range(len(prefix) + 1, len(path) + 1):  # a.b = 1 is also the line of a
                    lines.setdefault(path[:end], pair.start_point[0] + 1)
                value(pair.named_children[1], path)

    root = Parser(Language(tree_sitter_toml.language())).parse(text.encode()).root_node
    pairs(root, ())
    for table in root.named_children:
        if table.type not in ("table", "table_array_element"):
            continue
        path = names(table.named_children[0])
        lines.setdefault(path, table.start_point[0] + 1)
        if table.type == "table_array_element":
            counts[path] += 1
            path = (*path, counts[path] - 1)
            lines[path] = table.start_point[0] + 1
        pairs(table, path)
    return lines


def read_toml(path: Path, name: str) -> TomlText:
    """Return the file as TomlText. Raises OSError when it cannot be read."""
    return TomlText(name, path.read_bytes())
