"""Prose: Markdown in which results, formulas and figures are named, never typed.

A reference is {{kind name}}: number, formula, sentence, source, term, exact (a constant of the definition such as
0 or 1, not a result), and block (a table, chart or figure, alone on its line). A heading takes its anchor from
a line {#anchor} above it. ::: lead, result, note and question open boxes;
::: answer Title opens a folded one.

{{claim CONDITION}}words{{/claim}} binds words inside one paragraph to what makes them true; see conditions.py for
what a condition may say. It stands beside its words, in both languages, like the id of a number: whoever changes the
sentence sees what it promises, and the comparison of the languages finds a condition changed in one of them only.
A list of named conditions in a file of its own would be written once, but read by nobody who edits the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.attrs import attrs_block_plugin
from mdit_py_plugins.container import container_plugin

from ..reading.problems import Problem, nearest
from .bound import bound_words, inline_children

KINDS = ("number", "formula", "sentence", "source", "term", "exact", "block", "claim")
CLAIM_END = re.compile(r"\{\{\s*/claim\s*\}\}")
INLINE = re.compile(r"\{\{\s*([^\s{}]+)\s+([^{}]+?)\s*\}\}")
ALONE = re.compile(r"\{\{\s*(block|formula)\s+([^{}]+?)\s*\}\}\s*$")
DIGIT = re.compile(r"[0-9０-９][0-9０-９.,%]*")
TITLE = re.compile(r"<h1\b.*?</h1>", re.DOTALL)

# render(kind, name, display) → HTML
Render = Callable[[str, str, bool], str]


@dataclass(frozen=True)
class Reference:
    """One {{kind name}}, heading or other mark that both languages must share, and its line."""

    kind: str
    name: str
    line: int


@dataclass(frozen=True)
class Section:
    """One part of a page: anchor and title ("" before the first heading), and its tokens."""

    anchor: str
    title: str
    tokens: list[Token]


class Prose:
    """One page in one language."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self.markdown = parser()
        self.tokens = self.markdown.parse(path.read_text(encoding="utf-8-sig"))
        self.claims, self.claim_problems = bound_words(self.tokens, name)

    def references(self) -> Iterator[Reference]:
        """Yield every heading and reference in reading order."""
        for token in self.tokens:
            line = token.map[0] + 1 if token.map else 0
            if token.type == "heading_open":
                yield Reference("heading", f"{token.tag} #{token.attrs.get('id', '')}", line)
            elif token.type == "reference_block":
                yield Reference(token.info, token.content, line)
            elif token.type.startswith("container_") and token.nesting == 1:
                yield Reference("box", token.info.split()[0], line)
            for child, child_line in inline_children(token):
                if child.type == "reference":
                    yield Reference(child.info, child.content, child_line)

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong in this file alone: typed-in digits, unknown kinds, headings without an anchor."""
        for token in self.tokens:
            line = token.map[0] + 1 if token.map else None
            if token.type == "heading_open" and not token.attrs.get("id"):
                what = (
                    "a heading without an anchor; write {#anchor} above it",
                    "标题没有锚点；请在其上一行写 {#锚点}",
                )
                yield Problem(self.name, line, "", what)
            if token.type == "container_answer_open":
                yield from self.typed_number(line, token.info)
            if token.type == "heading_open" and any(
                child.info == "claim" for child in self.tokens[self.tokens.index(token) + 1].children or []
            ):
                what = (
                    "a claim in a heading; headings say what a part is about",
                    "标题中不能写 claim；标题只说明这一部分的主题",
                )
                yield Problem(self.name, line, "", what)
            for child, child_line in inline_children(token):
                if child.type == "reference" and child.info not in KINDS:
                    listed = ", ".join(KINDS)
                    what = (
                        f"unknown {{{{{child.info}}}}}; allowed: {listed}",
                        f"未知的 {{{{{child.info}}}}}；允许：{listed}",
                    )
                    yield Problem(self.name, child_line, "", what, nearest(child.info, KINDS))
                elif child.type == "text" and child.content.lstrip().startswith(":::"):
                    what = ("a ::: line that opens or closes no box", "这一行 ::: 既未开始也未结束任何方框")
                    yield Problem(self.name, child_line, "", what)
                elif child.type == "text" and ("{{" in child.content or "}}" in child.content):
                    what = ("not a reference {{kind name}}", "不是 {{类别 名称}} 形式的引用")
                    yield Problem(self.name, child_line, "", what)
                elif child.type in ("text", "html_inline", "image"):
                    yield from self.typed_number(child_line, child.content)
        yield from self.claim_problems

    def typed_number(self, line: int | None, text: str) -> Iterator[Problem]:
        """Yield a problem when a text holds digits."""
        if match := DIGIT.search(text):
            what = (f"a number typed into prose: {match[0]}", f"正文中直接写了数字：{match[0]}")
            hint = (
                "name a result by its id, {{number …}}; for a constant of a definition write {{exact …}}",
                "结果请写作 {{number 编号}}；定义中的常数请写作 {{exact …}}",
            )
            yield Problem(self.name, line, "", what, hint)

    def unknown(self, known: Mapping[str, Collection[str]]) -> Iterator[Problem]:
        """Yield every reference to something that there is not. known: kind → names."""
        for kind, name, line in ((r.kind, r.name, r.line) for r in self.references()):
            if kind in known and name not in known[kind]:
                what = (f"there is no {kind} {name}", f"没有名为 {name} 的 {kind}")
                yield Problem(self.name, line, "", what, nearest(name, known[kind]))

    def sections(self) -> list[Section]:
        """Return the parts of the page, split at its second-level headings; the first part has no heading."""
        parts: list[Section] = [Section("", "", [])]
        for index, token in enumerate(self.tokens):
            if token.type == "heading_open" and token.tag == "h2":
                parts.append(Section(str(token.attrs["id"]), self.tokens[index + 1].content, []))
            parts[-1].tokens.append(token)
        return parts

    def render(self, tokens: list[Token], render: Render) -> str:
        """Return the HTML of some tokens, with every reference rendered."""
        html = str(self.markdown.renderer.render(tokens, self.markdown.options, {"render": render}))
        # The style keeps the words of a Chinese title whole; Safari then breaks it behind a colon only if told.
        return TITLE.sub(lambda title: title[0].replace("：", "：<wbr>"), html)


def parser() -> MarkdownIt:
    """Return the Markdown parser: CommonMark with tables, anchors, boxes and references."""
    markdown = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    markdown.use(attrs_block_plugin)
    for name in ("note", "question", "lead", "result"):
        markdown.use(container_plugin, name=name, render=render_box)
    markdown.use(container_plugin, name="answer", render=render_answer)
    markdown.add_render_rule("heading_close", render_heading_close)
    markdown.inline.ruler.before("emphasis", "reference", inline_reference)
    markdown.block.ruler.before("paragraph", "reference_block", block_reference, {"alt": ["paragraph"]})
    markdown.add_render_rule("reference", render_reference)
    markdown.add_render_rule("reference_block", render_block)
    markdown.add_render_rule("claim_end", render_claim_end)
    return markdown


def inline_reference(state: StateInline, silent: bool) -> bool:
    """Read {{kind name}} or {{/claim}} inside a line."""
    if end := CLAIM_END.match(state.src, state.pos):
        if not silent:
            state.push("claim_end", "", 0)
        state.pos = end.end()
        return True
    match = INLINE.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        token = state.push("reference", "", 0)
        token.info, token.content = match[1], match[2]
        token.meta["lines"] = match[0].count("\n")  # a condition may go on in the next line
    state.pos = match.end()
    return True


def block_reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read {{block name}} or a displayed {{formula name}} alone on its line."""
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    match = ALONE.match(line)
    if not match:
        return False
    if not silent:
        token = state.push("reference_block", "", 0)
        token.info, token.content, token.map = match[1], match[2], [start, start + 1]
        state.line = start + 1
    return True


def render_reference(
    self: object, tokens: list[Token], index: int, options: object, env: dict[str, Render]
) -> str:
    """Render a reference inside a line."""
    return env["render"](tokens[index].info, tokens[index].content, False)


def render_claim_end(
    self: object, tokens: list[Token], index: int, options: object, env: dict[str, Render]
) -> str:
    """Render the end of a claim, given by its place among the claims of the page."""
    return env["render"]("/claim", tokens[index].content, False)


def render_block(
    self: object, tokens: list[Token], index: int, options: object, env: dict[str, Render]
) -> str:
    """Render a block or a displayed formula."""
    return env["render"](tokens[index].info, tokens[index].content, True)


def render_box(self: object, tokens: list[Token], index: int, options: object, env: dict[str, Render]) -> str:
    """Render a box as its class, leaving the token as it is: a server renders the same tokens again and again."""
    if tokens[index].nesting < 0:
        return "</div>\n"
    return f'<div class="{tokens[index].type.removeprefix("container_").removesuffix("_open")}">\n'


def render_answer(
    self: object, tokens: list[Token], index: int, options: object, env: dict[str, Render]
) -> str:
    """Render a folded box; what follows `answer` in its first line is its title."""
    if tokens[index].nesting < 0:
        return "</details>\n"
    title = tokens[index].info.strip().removeprefix("answer").strip()
    return f'<details class="answer"><summary>{escapeHtml(title)}</summary>\n'


def render_heading_close(
    self: object, tokens: list[Token], index: int, options: object, env: dict[str, Render]
) -> str:
    """End a heading with a link to itself, so that readers can copy its address."""
    anchor, tag = str(tokens[index - 2].attrs.get("id", "")), tokens[index].tag
    link = env["render"]("anchor", f"{anchor} {tokens[index - 1].content}", False) if tag != "h1" else ""
    return f"{link}</{tag}>\n"
