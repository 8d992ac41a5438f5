"""Values and prose in words and markup, the same on every page."""

from __future__ import annotations

import contextlib
import html
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import nh3
from django.utils.html import escape, format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, pgettext
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from nomopoly.rulebook import texts
from nomopoly.runtime.moments import text_in
from nomopoly.site.formats import dollars, has_date, in_thousands, moment
from nomopoly.site.play.uncomputed import Uncomputed
from nomopoly.site.said import said as said_again
from nomopoly.site.tables import live, queries, titles

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
TAGS = {
    "p", "br", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "h1", "h2", "h3", "h4", "h5", "h6",
    "hr", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
SHORT = 60  # characters of a word in a long list
KEPT_LENGTH = 4000  # characters of prose whose markup is kept in memory
OPEN, MIDDLE, CLOSE = "\ue000", "\ue001", "\ue002"  # around a rule's number while its prose is being drawn

KNOWN_KINDS = ("game", "player", "applicant", "question", "order", "proposal", "emergency", "square")  # shown elsewhere
BARE = re.compile(r"[a-z]+(?:-[a-z]+)*")  # the id of a thing that is one of its sort
PLAIN_ID = re.compile(r"[a-z]+(?:-[a-z0-9]+)*")  # the same of one whose name may have a number in it, as v-8
# the ids of things that merely are numbered, and of accounts
NUMBERED = re.compile(r"(?<![\w$-])(?:[a-z]+(?:-[a-z]+)*-\d+|\$[a-z]+(?:-[a-z]+)*)(?![\w-])")
ARTICLE = re.compile(r"(?:An?|The) ")  # a name that begins with one
OWNED = re.compile(r"(?:\w+ )?\w+['\u2019]s\b")  # a name that begins with whose it is
SAID_MOMENT = re.compile(r"moment(-\d+)*")  # names that *Say it* gives to moments of the calendar
MOMENT = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\d) (\d\d:\d\d) ([\w/+-]*\w)")  # as `fill_sentence` writes them


def markdown(text: str) -> SafeString:
    """Somebody's prose: a small Markdown, no markup of their own, no images, links that vouch for nothing."""
    text = str(text or "").replace("\x00", "")
    return rendered(text) if len(text) <= KEPT_LENGTH else rendered.__wrapped__(text)


@lru_cache(2048)  # the rules of a game, and what is said on its last pages
def rendered(text: str) -> SafeString:
    """A text of Markdown as markup, the same for every reader."""
    clean = nh3.clean(
        MARKDOWN.render(text),
        tags=TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow ugc noopener",
    )
    for level in range(6, 0, -1):  # A heading in prose stands below those of the page.
        deeper = min(6, level + 3)
        clean = clean.replace(f"<h{level}>", f"<h{deeper}>").replace(f"</h{level}>", f"</h{deeper}>")
    return mark_safe(clean)


REFERENCE = (
    r"(?<![\w&/#.@])(?:@(?P<player>\w[\w-]*)|#(?P<square>\d{1,6})|P(?P<proposal>\d{1,6})|entry (?P<entry>\d{1,9})"
    r"|(?P<rule>(?:[IVXL]+|\d{1,2})\.\d{1,3}(?:/[\w-]+)?))(?![\w/]|\.\d)"
)


def spoken(view: Data, address: str, text: str) -> SafeString:
    """Somebody's prose in which @Ann (also @ann, and @Ann Lee), #12, P12, 8.3 and entry 41 are links."""
    players = {thing["id"].casefold(): thing["id"] for thing in view["things"].values() if thing["kind"] == "player"}
    several = sorted((re.escape(each) for each in players if " " in each), key=len, reverse=True)
    named = re.compile("|".join([*(rf"@(?P<several>(?i:{'|'.join(several)}))(?!\w)" for _ in several[:1]), REFERENCE]))

    def linked(match: re.Match[str]) -> str:
        path = None
        whole = match.groupdict().get("several") or match["player"]
        if whole:
            name = players.get(whole.casefold())
            path = f"players/{escape_path(name)}/" if name else None
        elif match["square"]:
            path = f"squares/{match['square']}/"
        elif match["proposal"]:
            path = f"proposals/{match['proposal']}/"
        elif match["entry"]:
            path = f"log/{match['entry']}/"
        elif match["rule"]:
            path = f"rules/{match['rule']}/"
        return format_html('<a href="{}{}">{}</a>', address, path, match[0]) if path else match[0]

    parts = re.split(r"(<a\b.*?</a>|<code\b.*?</code>|<[^>]*>)", str(markdown(text)), flags=re.S)
    return mark_safe("".join(part if part[:1] == "<" else named.sub(linked, part) for part in parts))


def name_of_moment(declared: Data) -> str:
    """What a moment of the calendar is called where it is to come: one that *Say it* has made, by its rule."""
    plain = declared["name"].replace("-", " ")
    label = str(declared.get("label") or plain)  # older kernels know no labels of them
    if label.casefold() == plain and "rule" in declared and SAID_MOMENT.fullmatch(declared["name"]):
        return _("rule %(rule)s") % {"rule": declared["rule"]}
    return label


def proposed_prose(change: Data) -> SafeString:
    """The prose that a change gives a rule, with the numbers that it gives it filled in."""
    numbers = change.get("params")
    return rule_prose({"text": str(change["text"]), "params": numbers if isinstance(numbers, dict) else {}})


def as_read(record: Data, edition: str) -> Data:
    """A rule of an edition as the reader's language says it (`language`), or as it is where it has no such text."""
    language = get_language() or "en"
    found = texts.text_in(language, edition, record)
    return record | found | {"language": language} if found else record


def rule_prose(record: Data) -> SafeString:
    """The prose of a rule with its numbers filled in, each marked as one that can be amended by itself."""
    text = re.sub(f"[{OPEN}{MIDDLE}{CLOSE}]", "", record["text"])
    numbers = record["params"]

    def fill(match: re.Match[str]) -> str:
        name = match[2]
        if name not in numbers:
            return match[0]
        told = number_words(numbers[name])
        told = in_thousands(f"${told}")[1:] if match[1] else told
        return f"{match[1]}{OPEN}{name}{MIDDLE}{told}{CLOSE}"

    drawn = markdown(re.sub(r"(\$?)\{(\w+)\}", fill, text))
    return mark_safe(
        re.sub(
            f"{OPEN}(\\w+){MIDDLE}([^{CLOSE}]*){CLOSE}",
            lambda match: f'<span class="number" title="{match[1]}">{match[2]}</span>',
            drawn,
        )
    )


def number_words(number: int) -> str:
    """A named number in words."""
    if isinstance(number, bool):
        return "yes" if number else "no"
    if isinstance(number, (list, tuple)):
        return ", ".join(number_words(each) for each in number)
    return str(number)


def price_of(view: Data) -> Any:
    """The name of what squares cost: the amount of money that is called price or market value, or else the first
    one."""
    amounts = [each for each in view["schema"].get("square", ()) if each["type"] == "money"]
    named = [each for each in amounts if each["label"].casefold() in ("price", "market value")]
    return next((each["name"] for each in named + amounts), None)


def is_within(words: str, text: str) -> bool:
    """Whether a text has these words, and they are no parts of others there."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def reason_beside(line: str, args: Data) -> str:
    """The reason that somebody gave for an act (`because` and `words` of its fields), as far as its line in the log,
    markup, does not say it."""
    plain = html.unescape(strip_tags(line))
    given = [said_again(each) for each in (args.get("because"), args.get("words")) if isinstance(each, str) and each]
    return ": ".join(each for each in given if not is_within(each.rstrip("."), plain))


def of_whom(name: str, what: str) -> str:
    """Something that belongs to somebody or something, as in Ann's money."""
    if name[-1:] == "s":
        return pgettext("whose name ends with s", "%(name)s’ %(what)s") % {"name": name, "what": what}
    return pgettext("whose", "%(name)s’s %(what)s") % {"name": name, "what": what}


# ---- spans of time


def span(seconds: int) -> str:
    """A length of time in words, never rounded up: 3 d 4 h, 3 h 12 min, 40 s."""
    days, rest = divmod(int(seconds), 86400)
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = [
        f"{days} d" if days else "",
        f"{hours} h" if hours else "",
        f"{minutes} min" if minutes and days < 3 else "",
    ]
    return " ".join([part for part in parts if part][:2]) or f"{seconds} s"


def deadline(seconds: int) -> str:
    """A moment to come, with how long that is from now."""
    if not has_date(seconds):
        return moment(seconds)
    left = seconds - live.now()
    beside = _("in %(time)s") % {"time": span(left)} if left > 0 else _("%(time)s ago") % {"time": span(-left)}
    return format_html('{} <span class="beside">({})</span>', moment(seconds), beside)


# ---- values of attributes


def is_right(view: Data, part: str) -> bool:
    """Whether goods of this part are rights that things give, as the `patent` of a product does, and no things."""
    schema = view["schema"]
    return part[:-1] not in schema and any(part[:-1] == each["name"] for known in schema.values() for each in known)


def amount(part: str, number: int) -> str:
    """An amount that changes hands: $60, 10 shares."""
    return dollars(number) if part == "money" else f"{number:,} {part if number != 1 else part[:-1]}"


def place_of(view: Data, id: str) -> str | None:
    """The path below the game of the page about a thing, or None."""
    thing = view["things"].get(id)
    kind = thing["kind"] if thing else None
    if kind == "player":
        return f"players/{escape_path(id)}/"
    if kind == "square" or (thing is None and re.fullmatch(r"#\d{1,9}", id)):
        return f"squares/{id[1:]}/"
    if kind == "proposal" or (thing is None and re.fullmatch(r"P\d{1,9}", id)):
        return f"proposals/{id[1:]}/"
    if id[:1] == "$" and thing is not None and "money" in thing:
        return f"accounts/{escape_path(id[1:])}/"
    return f"things/{escape_path(id)}/" if kind and has_page(view, kind) else None


def has_page(view: Data, kind: str) -> bool:
    """Whether things of a kind have each a page of their own by its rules, beside the kinds that the site knows."""
    return kind in view["pages"] and kind not in KNOWN_KINDS


def is_elsewhere(view: Data, kind: str) -> bool:
    """Whether no list of things has those of a kind, since the site shows them in their own place."""
    return kind in view["pages"] and kind in KNOWN_KINDS


def escape_path(name: str) -> str:
    """A name as a part of an address."""
    return quote(name, safe="")


def link(view: Data, address: str, id: str, label: str | None = None) -> SafeString:
    """A thing's name as a link to its page, direction-isolated."""
    path = place_of(view, id)
    label = label or id
    if path is None:
        return format_html("<bdi>{}</bdi>", label)
    return format_html('<a href="{}{}"><bdi>{}</bdi></a>', address, path, label)


def thing_name(view: Data, id: str) -> str:
    """A thing as people call it: `#12 Baltic`; of one that is merely numbered (`block-2`), or is one of its sort
    (`head-gipper`), its name, or its id in words."""
    thing = view["things"].get(id) or {}
    name = thing.get("name") or thing.get("title")
    if id[:1] == "$":
        return name or f"the {id[1:].replace('-', ' ').capitalize()} account"
    if thing and thing["kind"] != "player" and re.fullmatch(r"[a-z]+(?:-[a-z]+)*(?:-\d+)?", id):
        return name or id.replace("-", " ")
    if name and thing["kind"] != "player" and BARE.fullmatch(id):
        return name
    return f"{id} {name}" if name else id


def there_or_gone(view: Data, id: str, prefixes: list[str]) -> str:
    """A thing as people call it, which may be gone by now: `prefixes` are those of the ids of all kinds of the game."""
    if id in view["things"] or not any(re.fullmatch(rf"{re.escape(each)}\d+", id) for each in prefixes):
        return thing_name(view, id)
    return id.replace("-", " ")


def in_a_sentence(name: str, before: str, kind: str) -> str:
    """What a sentence calls a thing that is one of its sort: the elephant, the Phantom Piece. A name in capitals stands
    alone, and so does one of somebody's (Ann's Best Hat); a can of paint has its own article."""
    if name.isupper() or OWNED.match(name):
        return name
    told = name[:1].lower() + name[1:] if name[1:] == name[1:].lower() or ARTICLE.match(name) else name
    if ARTICLE.match(name):
        return told if before else name
    if not before:
        return f"The {told}"
    return (
        told
        if re.search(rf"\b(?:a|an|the|this|of|{re.escape(kind) or '(?!)'}) $", before, re.IGNORECASE)
        else f"the {told}"
    )


def numbered_in(view: Any, text: str) -> str:
    """A text in which things of the game that merely are numbered, and accounts, are called as people call them:
    `warrior-1` is warrior 1."""
    return NUMBERED.sub(lambda found: thing_name(view, found[0]) if found[0] in view["things"] else found[0], text)


def shown(view: Data, address: str, value: object, sort: str = "", names: dict[str, str] | None = None) -> SafeString:
    """A value of an attribute as markup. `names`: what rows of catalogues are called, by their ids."""
    if value is None or value == "" or value == []:
        return format_html('<span class="muted">{}</span>', pgettext("of a value", "none"))
    if isinstance(value, Uncomputed):
        return format_html("{} {}", _("cannot be computed: a rule broke."), rule_link(address, value.rule))
    if isinstance(value, bool):
        return format_html("{}", _("yes") if value else _("no"))
    if isinstance(value, (dict, list, tuple)) and len(str(value)) > 2 * queries.MOST_CHARACTERS:
        value = queries.shortened(value, SHORT)
    if isinstance(value, dict):
        named = list(value.items())[: queries.MOST_PARTS]
        both = ((f"{key}: ", shown(view, address, part, "", names)) for key, part in named)
        return format_html("{}{}", format_html_join(", ", "{}{}", both), queries.more_than(value))
    if isinstance(value, (list, tuple)):
        first, more = value[: queries.MOST_PARTS], queries.more_than(value)
        if all(isinstance(part, list) and len(part) == 2 for part in value):  # Ann 3, Ben 2
            pairs = ([shown(view, address, each, "", names) for each in part] for part in first)
            return format_html("{}{}", format_html_join(", ", "{} {}", pairs), more)
        parts = ((shown(view, address, part, "", names),) for part in first)
        return format_html("{}{}", format_html_join(", ", "{}", parts), more)
    if sort == "money" and isinstance(value, int):
        return format_html('<span class="money{}">{}</span>', " minus" if value < 0 else "", dollars(value))
    if sort == "moment" and isinstance(value, int):
        return format_html("{}", deadline(value))
    if isinstance(value, int):
        return format_html('<span class="num">{}</span>', value)
    if isinstance(value, str) and (value in view["things"] or re.fullmatch(r"#\d{1,9}", value)):
        return link(view, address, value, thing_name(view, value))
    label = titles.called(view, str(value), names or {})
    gone = label == value and queries.kind_of_new(view, label)
    return format_html("<bdi>{}</bdi>", queries.cut(label.replace("-", " ") if gone else label))


def rule_link(address: str, rule: str) -> SafeString:
    """A rule's number as a link to its page; that of a proposal whose program runs once, to the proposal's. What is no
    rule of the book has none: the kernel, and shared modules of older games, which declared things themselves."""
    if not rule or rule == "kernel" or rule.startswith("commons/"):
        return mark_safe("")
    if number := proposal_of(rule):
        label = _("Proposal %(number)s") % {"number": number}
        return format_html('<a class="rule-ref" href="{}proposals/{}/">{}</a>', address, number, label)
    label = escape(_("Rule %(number)s") % {"number": rule}).replace(" ", "&nbsp;")
    return format_html('<a class="rule-ref" href="{}rules/{}/">{}</a>', address, rule, mark_safe(label))


def proposal_of(rule: str) -> str:
    """The number of the proposal whose program, which runs once, is named in a rule's place; "" if it is a rule."""
    return rule[1:] if re.fullmatch(r"P\d{1,9}", rule) else ""


def plain(name: str) -> str:
    """A name of the rules in words."""
    return str(name).replace("_", " ").replace("-", " ")


def quoted_path(path: str) -> str:
    """A path as an address has it."""
    return quote(path, safe="/")


def within(label: str) -> str:
    """A label as it stands within a sentence: with a small letter, unless it has names in it (Dues paid to the
    WETHA)."""
    return label if re.search(r"\w.*[A-Z]", label) else label.lower()


def is_said(value: object) -> bool:
    """Whether a field of a form says something: 0 does, an empty one and a tick that is not set do not."""
    return value is not None and value is not False and value != ""


def says_in(form: Data, args: Data, names: dict[str, str]) -> list[tuple[str, Any]]:
    """What an order says, in the order of its form (`describe()["forms"]`): [(label, value)].

    A thing needs no label, but where there are several of its kind; what was typed is quoted."""
    told = {name: args[name] for name in (*form, *args) if is_said(args.get(name))}
    kinds = [kind for _label, sort, kind in form.values() if sort == "thing" and kind]
    said = []
    for name, value in told.items():
        label, sort, kind = form.get(name, (name, "", ""))
        bare = sort == "thing" and kinds.count(kind) < 2
        if sort == "money" and isinstance(value, int):
            label, value = "", dollars(value)
        if sort == "moment":
            value = queries.in_words(value, sort)
        value = f"“{value}”" if sort == "words" else names.get(value, value) if isinstance(value, str) else value
        said.append(("" if bare or not label else within(label.partition(",")[0]), value))
    return said


def change_words(thing: str, label: str, before: object, after: object) -> str:
    """A change in words; what is the game's own needs no name."""
    what = within(label) if thing == "game" else of_whom(thing, within(label))
    if after in (_("yes"), _("no")):
        return f"{what}: {after}"
    told = {"what": what, "before": before, "after": after}
    if after == queries.nothing():
        return pgettext("a change", "%(what)s ends: it was %(before)s") % told
    if before == queries.nothing():
        return pgettext("a change", "%(what)s is %(after)s now") % told
    return pgettext("a change", "%(what)s is %(after)s now, and was %(before)s") % told


def moments_in(text: str, fields: Data, zone: str) -> dict[Any, Any]:
    """The moments that a sentence names in a game's zone, if these fields have them: {as named: for the reader}."""
    named = {f"{said[1]}T{said[2]}": said[0] for said in MOMENT.finditer(text) if said[3] == zone}
    known = [(text_in(value, zone), value) for value in fields.values() if named and has_date(value)]
    within = '<span class="in-words">{}</span>'  # which may go on in the next line
    return {named[said]: format_html(within, moment(seconds)) for said, seconds in known if said in named}


CHANGES = {
    "enact": gettext_lazy("new rule %(rule)s"),
    "amend": gettext_lazy("rule %(rule)s in another form"),
    "restore": gettext_lazy("rule %(rule)s in an earlier form"),
    "repeal": gettext_lazy("rule %(rule)s repealed"),
}


def rule_changes(value: object) -> str:
    """Changes of rules, as a proposal has them (a list of dicts, or that as JSON), in short; "" for anything else."""
    if isinstance(value, str) and value[:2] == "[{":
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(value)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return ""
    said = [[CHANGES[verb] % {"rule": each[verb]} for verb in CHANGES if verb in each][:1] for each in value]
    return ", ".join(part[0] for part in said) if all(said) else ""
