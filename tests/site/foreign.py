"""A language that nobody speaks, written from right to left: each wording of the site between ‹ and ›.

What a page shows outside of these marks was never put into a message file, unless the page says that it is no wording
of the site: by `<bdi>`, `<code>`, `<pre>`, `<output>`, or by `translate="no"`, as for words of rulebooks and of
players.
"""

import contextlib
import importlib.util
import pathlib
import re
import sys
from html.parser import HTMLParser

from babel.messages.mofile import write_mo
from django.test import override_settings

ROOT = pathlib.Path(__file__).parents[2]
CODE = "ar"
SHOWN = ("title", "aria-label", "placeholder", "alt", "data-confirm")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
NAMES = re.compile(r"\b(Nomopoly|API|JSON|HTML|RSS|Atom|Monty|CPython|CSV|Markdown|Discord|Slack)\b")


def message_files():
    """tools/messages.py as a module."""
    if str(ROOT / "tools") not in sys.path:
        sys.path.append(str(ROOT / "tools"))  # it asks its neighbour for what the kernel says
    spec = importlib.util.spec_from_file_location("messages", ROOT / "tools" / "messages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(folder: pathlib.Path):
    """Write the message files of the language into a folder, as LOCALE_PATHS expects them."""
    made = message_files()
    for domain in made.DOMAINS:
        catalog = made.said(domain)
        catalog.locale = CODE
        for message in catalog:
            if message.id and isinstance(message.id, tuple):
                message.string = tuple(f"‹{message.id[1]}›" for _ in range(catalog.num_plurals))
            elif message.id:
                message.string = f"‹{message.id}›"
        path = folder / CODE / "LC_MESSAGES" / f"{domain}.mo"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_mo(file, catalog)


@contextlib.contextmanager
def spoken(folder: pathlib.Path):
    """The site offers the language, whose files stand in the folder."""

    with override_settings(LOCALE_PATHS=[folder], LANGUAGES=[("en", "English"), (CODE, "‹Foreign›")]):
        yield


class Page(HTMLParser):
    """Gathers in `left` what a page says outside of the marks: [(element, words)]."""

    def __init__(self):
        super().__init__()
        self.open, self.depth, self.left = [], 0, []

    def quiet(self):
        return any(
            tag in ("script", "style", "code", "pre", "bdi", "textarea", "output")
            or named.get("translate") == "no"
            or named.get("class") == "rule-number"
            for tag, named in self.open
        )

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag not in VOID:
            self.open.append((tag, named))
        if self.quiet() or named.get("translate") == "no":
            return
        for name in SHOWN:
            if named.get(name):
                self.tell(f"{tag} {name}", named[name], 0)

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if self.quiet():
            return
        place = self.open[-1] if self.open else ("", {})
        name = f"{place[0]}.{place[1].get('class', '') or place[1].get('id', '')}"
        self.depth = self.tell(name, data, self.depth)

    def tell(self, place, text, depth):
        outside = []
        for part in re.split("([‹›])", text):
            if part == "‹":
                depth += 1
            elif part == "›":
                depth -= 1
            elif depth <= 0:
                outside.append(part)
        words = NAMES.sub("", " ".join(outside))
        if re.search(r"[A-Za-z]{2,}", words):
            self.left.append((place, " ".join(words.split())))
        return depth


def untranslated(html: str) -> list:
    """What a page in the language says that stands in no message file: [(element or attribute, words)]."""
    page = Page()
    page.feed(html)
    return page.left
