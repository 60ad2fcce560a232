"""How tests look at a page: colours, places, charts."""

from __future__ import annotations

import re

from tests.browser.driving import until


def palette(page, name):
    """Return a colour of the present theme as a browser writes it."""
    return page.evaluate(
        """name => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.color = `var(--${name})`;
            const color = getComputedStyle(probe).color;
            probe.remove();
            return color;
        }""",
        name,
    )


def in_the_other_theme(page, theme):
    """Let the system prefer the other theme than this one, and wait until the page and its charts wear it."""
    page.emulate_media(color_scheme={"dark": "light", "light": "dark"}[theme])
    until(
        page,
        """color => [...document.querySelectorAll(".plot .xtick text")]
            .every((text) => getComputedStyle(text).fill === color)""",
        palette(page, "text"),
    )
    ground = brightness(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    assert (ground < 60) == (theme == "light")


def scroll_to(page, selector):
    """Bring an element to the top of the window, at once."""
    page.evaluate(
        "selector => document.querySelector(selector).scrollIntoView({block: 'start', behavior: 'instant'})",
        selector,
    )


def point_and_click(page, selector):
    """Click where an element is. page.click would first scroll: it takes the bar's links to be out of view."""
    box = page.locator(selector).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def in_view(page, selector):
    """Tell whether an element's top is in the window, below the bar."""
    return page.evaluate(
        """selector => {
            const top = document.querySelector(selector).getBoundingClientRect().top;
            return top >= document.querySelector(".bar").getBoundingClientRect().bottom - 1 && top < innerHeight / 2;
        }""",
        selector,
    )


def wait_for_chart(page, name):
    """Wait until a chart is drawn."""
    page.locator(f".plot[data-chart={name}][data-drawn] svg.main-svg").first.wait_for()


def brightness(color):
    """Return the mean of a colour's red, green and blue."""
    red, green, blue = map(int, re.findall(r"\d+", color)[:3])
    return (red + green + blue) / 3
