"""The menu beside a figure: embed code, a link, and the chart as SVG and PNG, from disk."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from tests.browser.driving import word

pytestmark = pytest.mark.browser

STATE = "beta=0.2&step=3"
SVG = "{http://www.w3.org/2000/svg}"
NO_CLIPBOARD = """document.execCommand = (name) => { window.copied = document.activeElement.value; return true; };
    Object.defineProperty(navigator, "clipboard", {value: {writeText: () => Promise.reject(new Error())}});"""


def squeezed(text):
    return re.sub(r"\s", "", text)


# Width, height, share of white pixels and number of colours of a PNG.
LOOK = """async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
    return [image.width, image.height, pixels.filter((pixel) => pixel === 0xffffffff).length / pixels.length,
        new Set(pixels).size];
}"""


@pytest.mark.parametrize(("language", "theme"), [("zh", "dark"), ("en", "light")])
def test_a_chart_downloads_with_caption_settings_and_permalink(visit, site, tmp_path, language, theme):
    seen = visit(f"{language}/update.html#{STATE}", theme=theme, width=375)
    page = seen.page
    page.locator("html[data-state*='step=3']").wait_for(state="attached")
    page.locator("#chart-kl .figure-menu").click()
    page.locator("#chart-kl .plot[data-drawn]").wait_for()
    page.wait_for_timeout(300)  # the curves follow the numbers
    files = {}
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.locator("#chart-kl .figure-actions button").filter(has_text=kind).click()
        assert (
            download.value.suggested_filename
            == f"rl-parameter-update-{language}-step-3-chart-kl.{kind.lower()}"
        )
        download.value.save_as(tmp_path / kind)
        files[kind] = (tmp_path / kind).read_bytes()
    root = ElementTree.fromstring(files["SVG"])
    width, height = int(root.get("width")), int(root.get("height"))
    assert root.tag == SVG + "svg" and root.get("role") == "img" and width == 800 and 520 < height < 700
    texts = [text.text or "" for text in root.findall(SVG + "text")]
    written, described = squeezed("".join(texts)), squeezed(root.find(SVG + "desc").text)
    caption = page.locator("#chart-kl figcaption").inner_text()
    settings = word("tools.settings", language, list="beta = 0.2; step = 3")
    link = (site / language / "update.html").as_uri() + "#" + page.locator("html").get_attribute("data-state")
    edition = word("footer.edition", language, version="0.1.0", date="2026-11-30")
    digest = page.locator(".digest").inner_text()[:12]
    for text in (caption, settings, edition, link, "show=chart-kl", digest):
        assert squeezed(text) in written and squeezed(text) in described, text
    assert root.find(SVG + "title").text in caption
    assert all(text.get("font-family") and float(text.get("x")) >= 12 for text in root.findall(SVG + "text"))
    source = files["SVG"].decode()
    assert not re.search(r"<(image|script|foreignObject|style)\b|href=|@import|url\((?!#|&quot;#)", source)
    assert set(re.findall(r'https?://[^"\s<&]+', source)) == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "updates done" in source or "更新次数" in source
    *size, white, colors = page.evaluate(LOOK, base64.b64encode(files["PNG"]).decode())
    assert size == [2 * width, 2 * height]
    assert 0.8 < white < 0.99, "paper is white whatever the theme, and something is drawn"
    assert colors > 50
    assert page.evaluate("document.documentElement.dataset.theme") is None
    assert seen.complaints == []


class Frame(HTMLParser):
    def handle_starttag(self, tag, attributes):
        self.tag, self.attributes = tag, dict(attributes)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_menu_copies_what_embeds_a_table_and_what_leads_to_it(visit, site, language):
    seen = visit(
        f"{language}/update.html#{STATE}", prepare=lambda context: context.add_init_script(NO_CLIPBOARD)
    )
    page = seen.page
    page.locator("html[data-state*='step=3']").wait_for(state="attached")
    assert not any("figure-menu.js" in url or "picture.js" in url for url in seen.requests)
    button = page.locator("#table-parameters .figure-menu")
    assert button.get_attribute("aria-expanded") == "false" and button.bounding_box()["height"] >= 44
    button.focus()
    page.keyboard.press("Enter")
    menu = page.locator("#table-parameters .figure-actions")
    menu.wait_for()
    assert menu.locator("button").count() == 2, "a table is no picture"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    menu.get_by_role("status").filter(has_text=word("tools.copied", language)).wait_for()
    frame = Frame()
    frame.feed(page.evaluate("copied"))
    address = (site / language / "update.html").as_uri()
    assert frame.tag == "iframe" and frame.attributes["src"].startswith(address + "#v=1&")
    assert {"beta=0.2", "step=3", "only=table-parameters"} < set(
        frame.attributes["src"].split("#")[1].split("&")
    )
    assert frame.attributes["title"] in page.locator("#table-parameters figcaption").inner_text()
    menu.locator("button").nth(1).click()
    page.wait_for_timeout(100)
    assert page.evaluate("copied").endswith("&show=table-parameters")
    page.keyboard.press("Escape")
    assert menu.count() == 0 and button.get_attribute("aria-expanded") == "false"
    assert page.evaluate("document.activeElement.className") == "figure-menu js-made"
    assert seen.complaints == []
