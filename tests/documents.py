"""A page read back from its HTML: its elements, what is in them, and tags that do not match."""

from functools import cache
from html.parser import HTMLParser

from publish.rendering import entrance
from publish.rendering.pages import Page, environment
from publish.site import TEMPLATES, rendered_in
from tests.content_tools import shipped_content, shipped_material

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Element:
    """One element: tag, attributes, its parent, and its text with that of its children."""

    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.text = ""  # everything inside
        self.own = ""  # what stands in no element inside
        self.typed = ""  # what stands in no data element and no formula

    def inside(self, tag, **attributes):
        """Tell whether an element around this one, or itself, has this tag and these attributes."""
        found = self.tag == tag and attributes.items() <= self.attributes.items()
        return found or (self.parent is not None and self.parent.inside(tag, **attributes))


class Document(HTMLParser):
    """A page as a list of elements; `faults` are tags that do not match and attributes given twice."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.elements, self.faults, self.open = [], [], [Element("", {}, None)]
        self.feed(markup)
        self.close()
        self.faults += [f"<{element.tag}> stays open" for element in self.open[1:]]

    def handle_starttag(self, tag, attrs):
        if len(dict(attrs)) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        element = Element(tag, dict(attrs), self.open[-1])
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if self.open[-1].tag != tag:
            self.faults.append(f"</{tag}> in <{self.open[-1].tag}> at {self.getpos()}")
        elif len(self.open) > 1:
            self.open.pop()

    def handle_data(self, data):
        self.open[-1].own += data
        typed = "" if {"data", "math"} & {element.tag for element in self.open} else data
        for element in self.open:
            element.text += data
            element.typed += typed

    def all(self, tag, **attributes):
        """Return the elements with this tag and these attributes: class_ stands for class, data_list for data-list."""
        wanted = {name.replace("_", "-").strip("-"): value for name, value in attributes.items()}
        return [e for e in self.elements if e.tag == tag and wanted.items() <= e.attributes.items()]

    def ids(self):
        """Return every id, in the order of the page."""
        return [element.attributes["id"] for element in self.elements if "id" in element.attributes]

    def numbers(self):
        """Return the elements that show a registered number; rows that scripts fill in are not among them."""
        return [e for e in self.all("data", class_="number") if not e.inside("template")]

    def under(self, outer):
        """Return the elements inside one, itself included."""
        return [element for element in self.elements if outer in around(element)]


def name_of(found, element):
    """Return an element's name: its label, or the text of what labels it."""
    by = element.attributes.get("aria-labelledby", "").split()
    labels = [e.text for e in found.elements if e.attributes.get("id") in by]
    return element.attributes.get("aria-label", "") + "".join(labels)


def around(element):
    """Return an element and those around it."""
    found = []
    while element is not None:
        found.append(element)
        element = element.parent
    return found


pages_of = {}  # of the last few materials: the page of all numbers needs all the others


def rendered(page, language, content, material):
    """Return the HTML of a page in one language."""
    if page == "numbers":  # which names what the others show
        key = (id(material), language)
        if key not in pages_of:
            pages_of[key] = (
                material,
                rendered_in(content, material, language),
            )  # held, so that its id stays its own
        return pages_of[key][1][page]
    subject, prose = material.subjects[page], content.prose[page, language]
    return Page(subject, language, material, environment(TEMPLATES), prose).render()


@cache
def document(page, language):
    """Return a shipped page."""
    return Document(rendered(page, language, shipped_content(), shipped_material()))


@cache
def start_page():
    """Return the page that offers both languages."""
    content = shipped_content()
    return Document(entrance.start_page(environment(TEMPLATES), content.terms, content.edition))
