"""The guide to writing rules: its text as a page, and the table of all words that rules may use."""

import ast
import importlib.resources
import inspect
import re
from functools import cache

from django.utils.safestring import mark_safe

from nomopoly.kernel.dice import chance
from nomopoly.kernel.events import Event
from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.lent import words_of
from nomopoly.rulebook.source import load_edition
from nomopoly.site.play.words import MARKDOWN

EDITION = "iv"


def source():
    """The guide in Markdown."""
    return importlib.resources.files("nomopoly.site.lobby").joinpath("guide/writing_rules.md").read_text("utf-8")


@cache
def page():
    """The guide as markup, and its chapters as (anchor, heading)."""
    tokens = MARKDOWN.parse(source())
    chapters = []
    labels = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open":
            anchor = re.sub(r"\W+", "-", after.content.casefold()).strip("-")
            token.attrSet("id", anchor)
            if token.tag == "h2":
                chapters.append((anchor, inline(after.content)))
        elif token.type == "table_open":
            token.attrSet("class", "guide-table")
            labels = []
        elif token.type == "th_open":
            labels.append(after.content)
        elif token.type == "tr_open":
            column = 0
        elif token.type == "td_open":
            token.attrSet("data-label", labels[column])
            column += 1
    drawn = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(drawn.replace("<pre>", '<pre tabindex="0">')), chapters  # so that keys can scroll a wide program


@cache
def all_words():
    """Every word of the language, as (group, [(word, what it takes, what it does)]), read from the programs themselves."""
    kernel = [(name, taken_by(WORDS[name]), first_line(inspect.getdoc(WORDS[name]))) for name in sorted(WORDS)]
    dice = [(f"chance.{name}", taken_by(getattr(chance, name)), first_line(inspect.getdoc(getattr(chance, name))))
            for name in dir(chance) if name[0] != "_"]  # fmt: skip
    events = [(f"e.{name}", taken_by(method, 1), first_line(inspect.getdoc(method)))
              for name, method in vars(Event).items() if name[0] != "_" and inspect.isfunction(method)]  # fmt: skip
    shared = []
    book = load_edition(EDITION)
    for module, text in book.commons:
        tree = ast.parse(text)
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
        told = [(node.name, f"({ast.unparse(node.args)})", first_line(ast.get_docstring(node))) for node in functions]
        shared.append((f"Shared: {module}", told))
    lent = [
        (each.name, each.signature.removeprefix(each.name), first_line(each.doc)) for each in words_of(book.records)
    ]
    told = [("The language", kernel), ("Chance", dice), ("What an event can do", events), *shared]
    return [*told, (f"Lent by rules of {book.title}", lent)]


def taken_by(word, skipped=0):
    """What a word takes, without types."""
    if not callable(word):
        return ""
    every = list(inspect.signature(word).parameters.values())[skipped:]
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in every]
    return str(inspect.Signature(plain))


def first_line(told):
    return inline((told or "").strip().partition("\n")[0])


def inline(text):
    """A line of Markdown as markup."""
    return mark_safe(MARKDOWN.renderInline(text))
