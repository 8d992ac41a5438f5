"""The forms of all pages that one gets to by links, one of each kind, as a browser without scripts would have them."""

import re
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import urljoin

CONTROLS = {"input", "select", "textarea"}
UNSEEN = {"hidden", "submit", "image", "reset"}
ALIKE = 1  # pages of one sort that are looked at


class Form:
    """A form: where it goes, its controls and buttons, each with what stands at it."""

    def __init__(self, page: str, named: dict) -> None:
        self.page = page
        self.id = named.get("id")
        self.method = (named.get("method") or "get").lower()
        self.action = urljoin(page, named.get("action") or "")
        self.controls: list = []  # [(tag, its attributes, whether it has a label around it)]
        self.buttons: list = []
        self.sent: list = []  # [(name, value)]: what a browser sends if nothing is changed

    @property
    def kind(self):
        """What makes it another form than others: where it goes, but for what it is about, and what it asks."""
        names = {re.sub(r"\d+", "0", named.get("name") or "") for _tag, named, _within in self.controls}
        path = re.sub(r"(?<=/)(?:\d+|[A-Z][\w.-]*|offer-\d+)(?=/)", "0", self.action.partition("?")[0])
        return self.method, re.sub(r"^/g/[\w-]+", "", path), tuple(sorted(names))

    def __repr__(self) -> str:
        return f"{self.method} {self.action} on {self.page}"


class Forms(HTMLParser):
    """Gathers the forms of a page, and the links of it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.forms, self.links, self.labels, self.ids = page, [], [], set(), set()
        self.form, self.within, self.chosen, self.typed, self.silent = None, 0, None, None, 0

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.ids.add(named.get("id"))
        if tag in ("template", "noscript"):
            self.silent += tag == "template"
        if tag == "a" and named.get("href"):
            self.links.append(named["href"])
        if tag == "form" and not self.silent:
            self.form = Form(self.page, named)
            self.forms.append(self.form)
        if tag == "label":
            self.within += 1
            self.labels.add(named.get("for"))
        form = next((each for each in self.forms if each.id and each.id == named.get("form")), self.form)
        if form is None or self.silent:
            return
        if tag == "button" or (tag == "input" and named.get("type") in ("submit", "image")):
            form.buttons.append(named)
        elif tag in CONTROLS:
            form.controls.append((tag, named, self.within > 0))
            self.fill(form, tag, named)
        elif tag == "option" and self.chosen is not None and ("selected" in named or self.chosen[1] is None):
            self.chosen[1] = named.get("value", "")

    def fill(self, form, tag, named):
        name = named.get("name")
        if not name or "disabled" in named:
            return
        ticked = named.get("type") not in ("checkbox", "radio") or "checked" in named
        if tag == "input" and ticked and named.get("type") != "file":
            form.sent.append([name, named.get("value", "on" if named.get("type") == "checkbox" else "")])
        elif tag == "select":
            self.chosen = [name, None]
            form.sent.append(self.chosen)
        elif tag == "textarea":
            self.typed = [name, ""]
            form.sent.append(self.typed)

    def handle_data(self, data):
        if self.typed is not None:
            self.typed[1] += data

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        if tag == "label":
            self.within -= 1
        if tag == "select":
            self.chosen = None
        if tag == "textarea":
            self.typed = None
        if tag == "template":
            self.silent -= 1


def wrong_with(form: Form, page: Forms) -> list[str]:
    """What keeps somebody without scripts from a form, or from knowing what it asks: in words, one for each fault."""
    wrong = []
    if not [each for each in form.buttons if each.get("type", "submit") in ("submit", "image")]:
        wrong.append("has no button that sends it")
    tokens = [named for _tag, named, _within in form.controls if named.get("name") == "csrfmiddlewaretoken"]
    if form.method == "post" and not tokens:
        wrong.append("is sent without the token that posts need")
    for tag, named, within in form.controls:
        if named.get("type") in UNSEEN:
            continue
        told = named.get("aria-label") or named.get("title") or named.get("aria-labelledby") in page.ids - {None}
        if not within and not told and named.get("id") not in page.labels - {None}:
            wrong.append(f"{tag} {named.get('name')} has no label")
        if named.get("tabindex") == "-1":
            wrong.append(f"{tag} {named.get('name')} cannot be reached by keyboard")
    return wrong


def walk(get, start, below):
    """Yields (form, page) for each kind of form that pages below an address have, once each.

    `get(address)` -> the text of a page, "" where there is none; `start`: addresses to begin with; `below`: how those
    that are followed begin, one or several.
    """
    waiting, seen, sorts, known = list(start), set(), Counter(), set()
    while waiting:
        address = waiting.pop(0).partition("#")[0]
        sort = re.sub(r"(?:rules|sections|players)/[^?]+|\d+|=[^&]*", "/", address)
        if address in seen or not address.startswith(below) or sorts[sort] >= ALIKE:
            continue
        seen.add(address)
        sorts[sort] += 1
        page = Forms(address)
        page.feed(get(address))
        waiting += [urljoin(address, link) for link in page.links]
        for form in page.forms:
            if form.kind not in known:
                known.add(form.kind)
                yield form, page
