"""The message files of the site: what it says, in every language that it is said in.

    python tools/messages.py            take up what pages and programs say now, and compile all of it
    python tools/messages.py missing    list what has no translation yet, or one that does not fit

Wordings are found by Babel: those of templates as Django's own `templatize` shows them, those of Python and of scripts
as they stand. What the kernel, the check and the host say is found by house_words.py. A wording that nothing says any
more goes.
"""

import datetime
import functools
import io
import json
import pathlib
import sys

import django
import house_words
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import templatize

from nomopoly.languages.wordings import COMMANDS, LIST
from nomopoly.languages.wordings import HOUSE as HOUSE_SAYS

HOUSE = pathlib.Path(__file__).parents[1] / "src" / "nomopoly"
LOCALE = HOUSE / "site" / "locale"
RESTATED = HOUSE / "site" / "locale_allauth"  # what another package says in another voice than ours: written by hand
LAZY = {f"{word}_lazy": spec for word, spec in DEFAULT_KEYWORDS.items() if word.endswith("gettext")}
KEYWORDS = {**DEFAULT_KEYWORDS, **LAZY, "gettext_noop": None}
LANGUAGES = ("de",)
LONG_AGO = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)  # a file says what is in it, not when it was made
DOMAINS = ("django", "djangojs")  # pages and mails; what scripts say


def sources(domain):
    """Yields (file, its text as a program that Babel reads, Babel's name for the language it is in)."""
    for path in sorted((HOUSE / "site").rglob("*")):
        if "vendor" in path.parts or "migrations" in path.parts:
            continue
        if path.suffix == ".js" and domain == "djangojs":
            yield path, path.read_text(), "javascript"
        elif path.suffix == ".py" and domain == "django":
            yield path, path.read_text(), "python"
        elif path.suffix in (".html", ".txt", ".js") and "templates" in path.parts and domain == "django":
            # What comes out are calls between filling: the reader of scripts, unlike that of Python, minds no filling.
            yield path, templatize(path.read_text(), origin=str(path)), "javascript"


def said(domain):
    """All wordings of a domain, as a Catalog without translations."""
    catalog = Catalog(domain=domain)
    for path, text, method in sources(domain):
        name = path.relative_to(HOUSE.parents[1]).as_posix()
        found = extract(method, io.BytesIO(text.encode()), KEYWORDS, ("Translators:",), {"encoding": "utf-8"})
        for _, message, comments, context in found:
            catalog.add(message, locations=[(name, None)], auto_comments=comments, context=context)
    for context, parts in apart().items() if domain == "django" else ():
        for name, wording in parts:
            catalog.add(wording, locations=[(name, None)], context=context)
    return catalog


@functools.cache
def apart():
    """What stands in no page: what the house says, and its commands: {context: [(file, wording)]}."""
    house = [*house_words.told(), *house_words.documented()]
    return {HOUSE_SAYS: house, COMMANDS: [*house_words.commanded(), *house_words.helped()]}


def as_list():
    """The list of sentences that nomopoly.languages.wordings recognises."""
    told = {HOUSE_SAYS: house_words.told(), COMMANDS: house_words.commanded()}
    listed = {context: sorted({wording for _, wording in parts}) for context, parts in told.items()}
    return (json.dumps(listed, indent=0, ensure_ascii=False) + "\n").encode()


def place(language, domain, suffix):
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.{suffix}"


def restated(language):
    return RESTATED / language / "LC_MESSAGES" / "django.po"


def translated(language, domain):
    """The message file of a language as it is: a Catalog, empty where there is none."""
    path = place(language, domain, "po")
    return read(path, language) if path.exists() else Catalog(locale=language, domain=domain)


def read(path, language):
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=path.stem)


def renewed(language, domain):
    """The message file as it should be: what is said now, with the translations there are."""
    old, new = translated(language, domain), Catalog(locale=language, domain=domain, fuzzy=False, header_comment="")
    for message in said(domain):
        if message.id:
            known = old.get(message.id, message.context)
            string = known.string if known and not known.fuzzy else None
            if string and message.pluralizable and not known.pluralizable:
                string = (string, *[""] * (new.num_plurals - 1))  # the others are missing, and are told of
            elif string and known.pluralizable and not message.pluralizable:
                string = string[0]
            new.add(
                message.id,
                string,
                sorted(set(message.locations)),
                message.flags - {"fuzzy"},
                message.auto_comments,
                context=message.context,
            )
    return new


def as_po(catalog):
    file = io.BytesIO()
    write_po(file, catalog, width=120, sort_output=True, omit_header=True, include_lineno=False)
    header = (
        f'# What the site says, in the language "{catalog.locale}". Renew it with tools/messages.py.\n'
        'msgid ""\nmsgstr ""\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Content-Transfer-Encoding: 8bit\\n"\n"Language: {catalog.locale}\\n"\n'
        f'"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    return header.encode() + file.getvalue()


def as_mo(catalog):
    file = io.BytesIO()
    catalog.creation_date = catalog.revision_date = LONG_AGO
    write_mo(file, catalog)
    return file.getvalue()


def missing(language, domain):
    """Yields (wording, what is wrong with its translation)."""
    for message in renewed(language, domain):
        strings = message.string if isinstance(message.string, (tuple, list)) else [message.string]
        if message.id and not all(strings):
            yield message.id, "has no translation"
        for error in message.check() if message.id and all(strings) else ():
            yield message.id, str(error)


def main(arguments):
    wrong = 0
    if arguments != ["missing"]:
        LIST.write_bytes(as_list())
    for language in LANGUAGES:
        for domain in DOMAINS:
            if arguments == ["missing"]:
                for wording, why in missing(language, domain):
                    wrong += 1
                    print(f"{language}: {wording!r} {why}")
                continue
            place(language, domain, "po").parent.mkdir(parents=True, exist_ok=True)
            place(language, domain, "po").write_bytes(as_po(renewed(language, domain)))
            place(language, domain, "mo").write_bytes(as_mo(translated(language, domain)))
        if arguments != ["missing"]:
            restated(language).with_suffix(".mo").write_bytes(as_mo(read(restated(language), language)))
    return min(wrong, 1)


if __name__ == "__main__":
    settings.configure(USE_I18N=True)
    django.setup()
    sys.exit(main(sys.argv[1:]))
