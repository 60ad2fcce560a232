"""The page of editions: accessible, in its column, linked from every footer."""

from __future__ import annotations

import pytest

from tests.browser.test_pages import AXE, violations

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "light", 375), ("en", "dark", 1440)])
def test_the_footer_leads_to_the_log_which_is_accessible(visit, language, theme, width):
    seen = visit(f"{language}/faults.html", theme=theme, width=width)
    page = seen.page
    page.locator("footer a[href='editions.html']").click()
    page.wait_for_url(f"**/{language}/editions.html")
    assert page.locator("[id='edition-0.1.0']").is_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert seen.complaints == []
