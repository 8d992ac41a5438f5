"""A mail as it came in: who it says it is from, whether a program wrote it, and what its writer typed.

What is quoted, signatures and markup are cut off. Nothing here trusts a mail: any bytes give an `Incoming`, or
Malformed.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import hashlib
import re
from dataclasses import dataclass, field
from email.errors import MessageError
from email.message import EmailMessage
from email.utils import getaddresses
from html.parser import HTMLParser
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, override
from mailparser_reply import EmailReplyParser

MOST_BYTES = 256_000  # of a whole mail
MOST_MARKUP = 40_000  # characters of markup that are read: what is broken on purpose takes long
MOST_TYPED = 20_000  # characters that are read of it
MOST_SEARCHED, MOST_LINE = 6_000, 300  # characters, and of a line, in which heads of quotations are looked for
ABOVE = gettext_noop("-- answer above this line --")  # in our own mails: what follows is quoted
LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "da", "sv", "cs", "ja", "ko", "zh"]
TO = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")  # first what the server says that brings it
NOBODY = ("<>", "<MAILER-DAEMON>")  # the envelope sender of mails about mails; the second is how Postfix pipes it
BULK = ("bulk", "junk", "list", "auto_reply")
BLOCKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "table", "ul", "ol"}
UNSEEN = {"head", "style", "script", "title", "blockquote", "template"}
VOID = {"br", "hr", "img", "input", "meta", "link", "wbr", "col", "area", "base", "source"}
QUOTED_CLASSES = ("gmail_quote", "gmail_signature", "moz-cite-prefix", "moz-signature", "yahoo_quoted")
REST_IS_QUOTED = ("divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container")

# What mail programs put below the words of their user: lines of dashes, and praise of themselves.
AT_THE_END = re.compile(
    r"""|[-_]{5,}.*
    |(?:sent\ (?:from|with|via|by|using)|get\ outlook\ for)\ .{1,80}
    |(?:gesendet|verschickt|versendet)\ (?:von|vom|mit|aus|über)\ .{1,80}
    |(?:von\ mein|diese\ nachricht\ wurde\ von\ mein).{1,80}\ (?:gesendet|verschickt|versendet)\.?
    |outlook\ für\ .{1,80}\ herunterladen
    |(?:envoyé|enviado|inviato|verzonden|skickat|sendt|wysłan\w|odesláno)\ .{1,80}""",
    re.IGNORECASE | re.VERBOSE,
)


class Malformed(Exception):
    """The bytes are no mail; the message is for their sender."""


@dataclass
class Incoming:
    """What is known of a mail. `mark` tells it from all others; `refers` are the messages that it answers."""

    mark: str
    senders: list[Any]
    to: list[Any]
    subject: str
    message_id: str
    refers: list[Any] = field(default_factory=list)
    automatic: bool = False
    typed: str = ""


def read(raw: bytes) -> Incoming:
    """A mail from its bytes. Raises Malformed."""
    if len(raw) > MOST_BYTES:
        raise Malformed(
            gettext("This mail is too long: at most %(size)s kB, without attachments.") % {"size": MOST_BYTES // 1000}
        )
    try:
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        return incoming(mail, raw)
    except Malformed:
        raise
    except (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError, AssertionError) as error:
        # The library of Python raises any of these for headers and parts that are broken in odd ways.
        raise Malformed(gettext("This mail cannot be read. Send it again as plain text.")) from error


def incoming(mail: EmailMessage[Any, Any], raw: bytes) -> Incoming:
    """What is known of a parsed mail. Raises what the library of Python raises, and Malformed."""
    message_id = header(mail, "Message-ID")[:500]
    senders = addresses(mail, "From")
    if not senders:
        raise Malformed(gettext("This mail does not say who it is from."))
    # Without a Message-ID a mail is what it says; what servers on the way have added to it does not count.
    own = message_id or "|".join([header(mail, "Date"), ",".join(senders), hashlib.sha256(body_of(raw)).hexdigest()])
    return Incoming(
        mark=hashlib.sha256(own.encode("utf-8", "replace")).hexdigest(),
        senders=senders,
        to=[each for name in TO for each in addresses(mail, name)],
        subject=" ".join(header(mail, "Subject").split())[:200],
        message_id=message_id,
        refers=re.findall(r"<[^<>\s]{1,300}>", f"{header(mail, 'References')} {header(mail, 'In-Reply-To')}"),
        automatic=is_automatic(mail),
        typed=typed_in(mail),
    )


def header(mail: EmailMessage[Any, Any], name: str) -> str:
    """The text of a header, "" without it."""
    return str(mail.get(name) or "")


def addresses(mail: EmailMessage[Any, Any], name: str) -> list[Any]:
    """The bare addresses of a header, in small letters."""
    found = getaddresses([str(each) for each in mail.get_all(name, [])])
    return [address.casefold() for _, address in found if "@" in address]


def body_of(raw: bytes) -> bytes:
    """The bytes of a mail below its headers."""
    return re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[-1]


def is_automatic(mail: EmailMessage[Any, Any]) -> bool:
    """Whether a program wrote a mail: an absence, a bounce, a list. Such mails are never answered (RFC 3834)."""
    said = header(mail, "Auto-Submitted").partition(";")[0].strip().casefold()
    return (
        said not in ("", "no")
        or mail.get_content_type() in ("multipart/report", "message/delivery-status")
        or header(mail, "Precedence").strip().casefold() in BULK
        or any(
            mail.get(name) is not None for name in ("List-Id", "X-Autoreply", "X-Autorespond", "X-Failed-Recipients")
        )
        or header(mail, "Return-Path").strip() in NOBODY
    )


# ---- what was typed


def typed_in(mail: EmailMessage[Any, Any]) -> str:
    """What the writer of a mail typed: without what is quoted, signatures and markup."""
    for sort in ("plain", "html"):
        part = mail.get_body((sort,))
        if part is None:
            continue
        text = text_of(part)
        typed = typed_of(plain(text) if sort == "html" else text)
        if typed:
            return typed
    return ""


def text_of(part: Any) -> str:
    """The text of a part of a mail. Where its bytes are not of the charset that it names, or nobody knows that charset,
    they are UTF-8, or what is written on Windows in the west."""
    raw = part.get_payload(decode=True) or b""
    for charset in (part.get_content_charset() or "utf-8", "utf-8", "cp1252"):
        with contextlib.suppress(LookupError, ValueError):  # UnicodeError among them
            return str(raw, charset)
    return str(raw, "latin-1")


def typed_of(text: str) -> str:
    """What was typed, from the whole text of a mail."""
    text = text.replace("\r\n", "\n").replace("\xa0", " ").replace("\u200b", "")
    text = text[:MOST_TYPED]
    cut = re.search("|".join(re.escape(mark) for mark in marks()), text, re.IGNORECASE)
    if cut:
        text = text[: cut.start()].rstrip("> \n")
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in text.split("\n")) + "\n")
    # The library's patterns are slow on texts that are made for it: in what is longer, lines with ">" and our mark must
    # do.
    if len(text) > MOST_SEARCHED or any(len(line) > MOST_LINE for line in text.split("\n")):
        kept = text
    else:
        kept = EmailReplyParser(languages=LANGUAGES).read(text).latest_reply or ""
    if cut and kept.split()[-1:] == text.split()[-1:]:  # what a mail program says of whose words follow
        kept = re.sub(r"\n[^\n]*:\s*\Z", "", kept)
    lines = [line.rstrip() for line in kept.split("\n") if not line.lstrip().startswith(">")]
    for at, line in enumerate(lines):
        if line in ("--", "__"):  # a signature, whose mark mail programs end with a space
            lines = lines[:at]
            break
    while lines and AT_THE_END.fullmatch(lines[-1].strip()):
        lines.pop()
    return "\n".join(lines).strip()


def marks() -> list[str]:
    """The line above which one answers, in each language of the site."""
    found = [ABOVE]
    for language, _ in settings.LANGUAGES:
        with override(language):
            found.append(gettext(ABOVE))
    return found


class Plain(HTMLParser):
    """The text of a page of markup that is not quoted."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.deep, self.over = 0, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Go into an element: what is quoted or unseen is skipped to its end, a block begins a new line."""
        told = {name: (value or "").casefold() for name, value in attrs}
        if told.get("id", "") in REST_IS_QUOTED:
            self.over = True
        if tag in BLOCKS:
            self.parts.append("\n")
        if tag in VOID:
            return
        quoted = tag in UNSEEN or any(name in told.get("class", "") for name in QUOTED_CLASSES)
        if self.deep or quoted:
            self.deep += 1

    def handle_endtag(self, tag: str) -> None:
        """Leave an element; a block ends its line."""
        if self.deep and tag not in VOID:
            self.deep -= 1
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Keep a piece of text that is not skipped, with single spaces."""
        if not self.deep and not self.over:
            self.parts.append(re.sub(r"\s+", " ", data))


def plain(markup: str) -> str:
    """The text of markup, without what is quoted in it."""
    reader = Plain()
    # A tag that is never closed makes the reader look for its end again and again.
    reader.feed(re.sub(r"<(?=[^<>]*(?:<|\Z))", "&lt;", markup[:MOST_MARKUP]))
    reader.close()
    return re.sub(r"\n\s*\n+", "\n", "".join(reader.parts))
