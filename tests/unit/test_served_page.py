"""What `build.py serve` adds to a page: a script, leave to talk to the server, mistakes in both languages."""

import json
import re

import pytest

from publish.reading.problems import Problem
from publish.serving.served_page import page_of_mistakes, problems_json, served, stamp_of

PROBLEM = Problem("a<b>.toml", 3, "x.y", ("found <1>", "写的是 <1>"), ('did you mean "x"?', '是否想写 "x"？'))


def test_a_page_gets_the_servers_script_and_nothing_else():
    page = '<html><head><meta charset="utf-8"></head><body>é</body></html>'
    script = '<script src="/-/serve.js" data-stamp="abc" defer></script>'
    assert served(page.encode(), "abc").decode() == page.replace("</head>", script + "</head>")


def test_mistakes_are_data_in_both_languages():
    told = json.loads(problems_json([PROBLEM, Problem("b.toml", None, "", ("gone", "没有了"))]))
    assert told["problems"] == [
        {
            "place": "a<b>.toml:3",
            "key": "x.y",
            "what": ["found <1>", "写的是 <1>"],
            "hint": list(PROBLEM.hint),
        },
        {"place": "b.toml", "key": "", "what": ["gone", "没有了"], "hint": None},
    ]
    assert all(len(words) == 2 and all(words) for words in told["words"].values())
    assert "\n" not in problems_json([PROBLEM]), "an event is one line"


@pytest.mark.parametrize(("language", "says"), [("zh", "写的是 &lt;1&gt;"), ("en", "found &lt;1&gt;")])
def test_the_page_of_mistakes_escapes_what_it_says(language, says):
    page = page_of_mistakes([PROBLEM], language).decode()
    assert says in page and "a&lt;b&gt;.toml:3" in page and "<1>" not in page
    assert re.search(r'<html lang="(.+?)">', page)[1].startswith(language)


def test_a_stamp_tells_parts_apart():
    assert len({stamp_of(parts) for parts in ([b"ab", b"c"], [b"a", b"bc"], [b"abc"], [])}) == 4
    assert stamp_of([b"ab"]) == stamp_of([b"ab"])
