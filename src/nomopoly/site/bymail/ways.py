"""The ways by which mail comes in: a server of our own (LMTP or SMTP), a pipe, or a provider who posts it to the
site."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from aiosmtpd.smtp import SMTP
from asgiref.sync import sync_to_async
from django.db import close_old_connections

from nomopoly.site.busy import busy_of
from nomopoly.site.bymail import DATA_ERROR, DONE, TRY_LATER, answering, reading

if TYPE_CHECKING:
    from aiosmtpd.smtp import Envelope, Session


log = logging.getLogger("nomopoly.bymail")


class Handler:
    """What the server does with a mail. Addresses that nobody plays at are refused at once."""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Decide on one addressee of a letter, and return the line of SMTP that answers.

        250 takes it, 550 refuses an address that nobody plays at, 451 asks to send it again later.
        """
        try:
            right = await sync_to_async(in_connection)(answering.right_of, [address])
        except answering.Refused as error:
            return f"550 5.1.1 {error}"
        except Exception:
            log.exception("mail")
            return "451 4.3.0 Try again later"
        if right is None:
            return "550 5.1.1 Nobody plays at this address."
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """One answer for all: each address is a mail of its own, and who brings it again does nothing twice."""
        problems, sender = [], (envelope.mail_from or "").removeprefix("<>")  # the library's word for nobody
        for address in envelope.rcpt_tos:
            code = await sync_to_async(in_connection)(taken, envelope.content, [address], sender)
            problems.append(code)
        return max(problems, key=lambda each: (each.startswith("4"), each.startswith("5")))


def in_connection(act: Callable[..., Any], *parts: object) -> Any:
    """Act with a connection to the database that is alive."""
    close_old_connections()
    return act(*parts)


def taken(raw: bytes, to: list[str], envelope_sender: str | None) -> str:
    """Take a mail in. Returns the line that the sending server gets as answer."""
    try:
        return f"250 2.0.0 {answering.take(raw, to, envelope_sender).capitalize()}"
    except answering.Refused as error:
        return f"550 5.6.0 {error}"
    except Exception as error:
        if not isinstance(error, answering.Later) and busy_of(error) is None:
            log.exception("mail")
        return "451 4.3.0 Try again later"


def controller(host: str = "127.0.0.1", port: int = 8024, smtp: bool = False) -> Any:
    """The server, not started yet (`start`, `stop`). It holds no relay: it takes mail for players alone."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.lmtp import LMTP
    from aiosmtpd.smtp import SMTP

    class Server(Controller):
        def factory(self) -> SMTP:
            sort = SMTP if smtp else LMTP
            return sort(self.handler, data_size_limit=reading.MOST_BYTES, ident="Nomopoly", enable_SMTPUTF8=True)

    return Server(Handler(), hostname=host, port=port)


def from_pipe(stream: BinaryIO | None = None) -> int:
    """Take in the one mail on standard input. Returns the exit status that a mail server understands."""
    raw = (stream or sys.stdin.buffer).read(reading.MOST_BYTES + 1)
    said = taken(raw, [], None)
    print(said.partition(" ")[2].partition(" ")[2], file=sys.stderr)
    return {"2": DONE, "5": DATA_ERROR, "4": TRY_LATER}[said[0]]


def from_provider(sender: str, event: Any, esp_name: Any, **_: Any) -> None:
    """Take in a mail that a provider has posted; who has posted it was checked before. What fails is posted again."""
    message = event.message
    said = taken(
        message.as_bytes(),
        [message.envelope_recipient] if message.envelope_recipient else [],
        message.envelope_sender,
    )
    if said.startswith("4"):
        raise OSError(f"{esp_name} is to post this mail again")
