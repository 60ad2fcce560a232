"""The two languages of a page name the same things in the same order."""

import pytest

from publish.content import PAGES
from publish.words.bilingual import differences
from publish.words.prose import Prose
from tests.content_tools import CONTENT, KL, changed, line_of, shipped_content

CHINESE = """{#top}
# 标题

结果是 {{number loss}}，下一步是 {{number loss_next}}。

{{formula logits}}

{#one}
## 第一

:::  note
见 {{source ppo}}，恰为 {{exact 0}}。
:::

{#two}
## 第二

{{sentence loss}}{{claim loss > kl}}甲{{/claim}}

{{block symbols}}
"""
ENGLISH = changed(
    changed(changed(changed(CHINESE, "标题", "Title"), "第一", "One"), "第二", "Two"), "结果是", "It is"
)


def found(tmp_path, chinese, english):
    pages = []
    for language, text in (("zh", chinese), ("en", english)):
        path = tmp_path / f"page.{language}.md"
        path.write_text(text, encoding="utf-8")
        pages.append(Prose(path, f"page.{language}.md"))
    return sorted((p.file, p.line, p.what[0].split(":")[0]) for p in differences(*pages))


def test_the_same_things_are_no_difference(tmp_path):
    assert found(tmp_path, CHINESE, ENGLISH) == []


# name, text of the English page, what stands there instead, what is said: (file, text that marks the line, thing)
CASES = [
    ("removed heading", "{#two}\n## Two\n\n", "", [("zh", "## 第二", "heading h2 #two")]),
    ("added heading", "{{block symbols}}", "{#new}\n### New\n", [("en", "### New", "heading h3 #new"),
     ("zh", "{{block symbols}}", "block symbols")]),
    ("changed anchor", "{#one}", "{#first}",
     [("en", "## One", "heading h2 #first"), ("zh", "## 第一", "heading h2 #one")]),
    ("changed level", "## One", "### One",
     [("en", "### One", "heading h3 #one"), ("zh", "## 第一", "heading h2 #one")]),
    ("changed formula", "{{formula logits}}", "{{formula ratio}}", [("en", "{{formula ratio}}", "formula ratio"),
     ("zh", "{{formula logits}}", "formula logits")]),
    ("changed number", "{{number loss}}", "{{number kl}}",
     [("en", "It is", "number kl"), ("zh", "结果是", "number loss")]),
    ("removed number", "{{number loss}}", "small", [("zh", "结果是", "number loss")]),
    ("swapped numbers", "{{number loss}}，下一步是 {{number loss_next}}", "{{number loss_next}}, {{number loss}}",
     [("en", "It is", "number loss_next"), ("zh", "结果是", "number loss_next")]),
    ("changed source", "{{source ppo}}", "{{source pytorch}}", [("en", "{{source pytorch}}", "source pytorch"),
     ("zh", "{{source ppo}}", "source ppo")]),
    ("changed constant", "{{exact 0}}", "{{exact 1}}",
     [("en", "{{exact 1}}", "exact 1"), ("zh", "{{exact 0}}", "exact 0")]),
    ("removed sentence", "{{sentence loss}}", "", [("zh", "{{sentence loss}}", "sentence loss")]),
    ("added block", "{{block symbols}}", "{{block symbols}}\n\n{{block chain}}",
     [("en", "{{block chain}}", "block chain")]),
    ("other condition", "loss > kl", "loss < kl",
     [("en", "{{sentence loss}}", "claim loss < kl"), ("zh", "{{sentence loss}}", "claim loss > kl")]),
    ("other spelling of the condition", "loss > kl", "loss  >\nkl", []),
    ("claim removed", "{{claim loss > kl}}甲{{/claim}}", "甲", [("zh", "{{sentence loss}}", "claim loss > kl")]),
    ("other box", "note", "question", [("en", ":::  question", "box question"), ("zh", ":::  note", "box note")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_difference(tmp_path, old, new, expected):
    english = changed(ENGLISH, old, new)
    texts = {"zh": CHINESE, "en": english}
    assert found(tmp_path, CHINESE, english) == [
        (f"page.{language}.md", line_of(texts[language], place), thing) for language, place, thing in expected
    ]
    assert len(found(tmp_path, english, CHINESE)) == len(expected), "either language may have the mistake"


def test_the_message_says_where_it_should_have_been(tmp_path):
    paths = [tmp_path / "zh.md", tmp_path / "en.md"]
    for path, text in zip(paths, (CHINESE, changed(ENGLISH, "{{sentence loss}}", ""))):
        path.write_text(text, encoding="utf-8")
    (problem,) = differences(Prose(paths[0], "zh.md"), Prose(paths[1], "en.md"))
    assert problem.what[0] == "sentence loss: not at the same place in en.md (near line 1)"
    assert "en.md" in problem.what[1] and problem.what[1] != problem.what[0]


@pytest.mark.parametrize(("page", "most"), {"update": 5, KL: 3}.items())
def test_shipped_prose_names_the_same_things(page, most):
    prose = shipped_content().prose
    assert list(differences(prose[page, "zh"], prose[page, "en"])) == []
    for language in ("zh", "en"):
        text = (CONTENT / "pages" / f"{page}.{language}.md").read_text(encoding="utf-8")
        assert text.count("{{number") > most


def test_every_page_has_both_languages():
    files = {path.name for path in (CONTENT / "pages").iterdir()}
    assert files == {f"{page}.{language}.md" for page in PAGES for language in ("zh", "en")}
