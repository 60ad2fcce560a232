"""A TOML file as its author sees it: its values, the line of every key, and every spot that is not TOML."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from .problems import Phrase, Problem

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

STATEMENT = re.compile(r"\s*(\[|[^\s\[\]#=,]+\s*=)")
PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
LONG_NUMBER = re.compile(r"\d{4000}")
MOST_SYNTAX_PROBLEMS = 30


class TomlText:
    """A parsed file: `data` (values), `problems` (what is not TOML), `line(path)`, `broken` (text was dropped)."""

    def __init__(self, name: str, raw: bytes) -> None:
        self.name = name
        self.problems: list[Problem] = []
        text = self._decode(raw)
        self._text, self.data = self._parse(text)
        self.broken = bool(self.problems)
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
        """Parse; after each mistake drop the statement that has it and go on, so that all are found."""
        for _ in range(MOST_SYNTAX_PROBLEMS):
            try:
                return text, tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                text = self._note_syntax(text, str(error))
            except RecursionError:
                self._add(None, "", ("brackets nested too deeply", "括号嵌套过深"))
                return "", {}
            except ValueError:  # Python refuses to read whole numbers of thousands of digits
                number = next(
                    (n for n, line in enumerate(text.split("\n"), 1) if LONG_NUMBER.search(line)), None
                )
                self._add(number, "", ("a number with too many digits", "数字的位数过多"))
                return "", {}
        return "", {}

    def _note_syntax(self, text: str, message: str) -> str:
        """Note one syntax mistake and return the text without the statement that has it."""
        lines = text.split("\n")
        place = PLACE.search(message)
        number = int(place[1]) if place and place[1] else len(lines)
        number = min(number, len(lines))
        message = PLACE.sub("", message)
        if message in ("Unclosed array", "Unclosed inline table") or not (place and place[1]):
            end = number - 1 if place and place[1] and STATEMENT.match(lines[number - 1]) else number
            number = statement_start(lines, end)
        else:
            end = number
        shown = lines[number - 1].strip()
        if message.startswith("Cannot overwrite a value") or "twice" in message:
            first = first_line_of(lines, shown, number)
            hint: Phrase | None = (
                (f"first given in line {first}", f"第 {first} 行已经写过") if first else None
            )
            key = shown.split("=")[0].strip()
            what: Phrase = (f"{key}: given twice", f"{key}：写了两次")
        else:
            hint = full_width_hint(lines[number - 1 : end])
            what = (f"not TOML: {shown} ({message})", f"不是合法的 TOML：{shown}（{message}）")
        self._add(number, "", what, hint)
        for index in range(number - 1, end):
            lines[index] = ""
        return "\n".join(lines)

    def _add(self, line: int | None, key: str, what: Phrase, hint: Phrase | None = None) -> None:
        self.problems.append(Problem(self.name, line, key, what, hint))

    def line(self, path: KeyPath) -> int:
        """Return the line of a key path, or of the nearest thing around it that has one."""
        if self._lines is None:
            self._lines = line_index(self._text)
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)


def statement_start(lines: list[str], end: int) -> int:
    """Return the number of the last line, up to line `end`, that begins a statement."""
    for number in range(end, 0, -1):
        match = STATEMENT.match(lines[number - 1])
        if match and match[1] != "[":
            return number
    return max(end, 1)


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
    pairs = " ".join(f"{c} → {FULL_WIDTH[c] if c != chr(0x3000) else 'space'}" for c in dict.fromkeys(typed))
    return f"full-width characters, write: {pairs}", f"含全角字符，请改为半角：{pairs}"


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
                lines[path] = pair.start_point[0] + 1
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
