"""publish/verifying/page.py: what the page says with a record, with a bad one, and without."""

import dataclasses
import json
import re

import pytest

from publish.rendering.pages import Page, environment
from publish.site import TEMPLATES
from publish.verifying.page import NAME, kinds, verify_page
from publish.verifying.routes import ROUTES
from publish.verifying.verification import record_of
from tests.content_tools import shipped_content, shipped_material, shipped_word
from tests.unit.test_verification import of_registry, route

ALL = [
    route([of_registry("loss", "kl", "gradient.0.1")], name=each.name, allowed=each.allowed)
    for each in ROUTES
]


def recorded(*routes):
    return record_of(shipped_content(), shipped_material(), routes)


def rendered(record, language="en"):
    material = shipped_material()
    subject = verify_page(record, material.registry, material.declarations)
    material = dataclasses.replace(material, subjects=material.subjects | {NAME: subject})
    return Page(
        subject, language, material, environment(TEMPLATES), shipped_content().prose[NAME, language]
    ).render()


def plain(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize(
    ("language", "says"), [("en", "Nothing has been verified"), ("zh", "这份配置与代码尚未核对")]
)
def test_without_a_record_the_page_says_so_plainly(language, says):
    text = plain(rendered(None, language))
    assert says in text and "python build.py verify" in text
    assert "everything agrees" not in text and "全部相符" not in text
    assert shipped_word("verify.empty", language) not in text, "of a table that is not there"


@pytest.mark.parametrize(("language", "says"), [("en", "everything agrees"), ("zh", "全部相符")])
def test_a_record_that_agrees(language, says):
    record, html = recorded(*ALL), None
    html = rendered(record, language)
    text = plain(html)
    assert says in text and record["date"] in text
    assert shipped_word("verify.empty", language) in text
    assert (
        record["config"] in html and record["code"] in html and f"numpy {record['versions']['numpy']}" in text
    )
    assert text.count(record["peers"]["trl"]["commit"][:12]) == 1
    assert html.count('id="route-') == len(ROUTES)


def test_the_whole_record_is_a_file_of_the_site():
    record, material = recorded(*ALL), shipped_material()
    subject = verify_page(record, material.registry, material.declarations)
    assert json.loads(subject.files["verification.json"]) == json.loads(json.dumps(record))
    assert 'href="../data/verification.json" download' in rendered(record)
    assert verify_page(None, material.registry, material.declarations).files == {}
    assert "verification.json" not in rendered(None)


def test_a_record_that_does_not_agree_is_no_praise():
    wrong = dataclasses.replace(ALL[2], trees=lambda content: iter([of_registry("loss", off=1e-3)]))
    text = plain(rendered(recorded(*ALL[:2], wrong, *ALL[3:])))
    assert "not everything agrees" in text and "everything agrees." not in text.replace("not everything", "")
    assert "loss" in text


def test_a_route_that_was_skipped_says_why():
    skipped = dataclasses.replace(
        ALL[3], lacks=lambda content: ("PyTorch is not installed", "未安装 PyTorch")
    )
    record = recorded(*ALL[:3], skipped, *ALL[4:])
    assert "skipped: PyTorch is not installed" in plain(rendered(record))
    assert "跳过：未安装 PyTorch" in plain(rendered(record, "zh"))


def test_kinds_gather_numbers_of_one_shape():
    material = shipped_material()
    rows = kinds(recorded(*ALL), material.registry, material.declarations, "en")
    assert set(rows) == {number.page for number in material.registry.values()}
    gradient = next(row for row in rows["update"] if row["shape"] == "gradient.*.*")
    assert gradient["count"] == 6 and set(gradient["routes"]) == {route.name for route in ROUTES}
    assert "{" not in gradient["label"]
    assert sum(row["count"] for page in rows.values() for row in page) == len(material.registry)
    beta = next(row for row in rows["update"] if row["shape"] == "settings.beta")
    assert beta["given"] and not beta["routes"]
