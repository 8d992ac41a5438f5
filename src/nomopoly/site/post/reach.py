"""Posting to an address that somebody on the net has typed: to public machines alone, without following anybody
anywhere.

The name is looked up once, every address it stands for must be public, and the connection goes to the address that was
looked at: a name that points elsewhere a moment later leads nowhere.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from ssl import SSLContext, SSLSocket
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

SECONDS = 10  # for the whole of it, however slowly the other side answers
MOST_ANSWER = 2_000  # bytes of an answer that are read
PORTS = (443, 8443)


class NotPublic(Exception):
    """An address that is not posted to, and why."""


def problem(url: str) -> str | None:
    """Why nothing is ever posted to an address, as far as one can tell without looking its name up; None if nothing is
    wrong."""
    try:
        parts = urlsplit(url)
        port = parts.port or 443
        host = parts.hostname or ""
    except ValueError:
        return _("This is no address. Copy it whole, beginning with https://")
    if parts.scheme != "https" or not host:
        return _("The address has to begin with https://")
    if parts.username or parts.password:
        return _("An address with a password in it is not taken.")
    if port not in PORTS:
        return _("Only the ports %(ports)s are posted to.") % {"ports": ", ".join(str(each) for each in PORTS)}
    if not url.isascii() or not url.isprintable() or " " in url:
        return _("The address has characters that no address has.")
    return None


def public_address(host: str, port: int) -> str:
    """One IP address of a host, all of which are public. Raises NotPublic, and OSError where there is none."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for each in found:
        if not is_public(each):
            raise NotPublic(f"{host} is a machine in a private network")
    if not found:
        raise OSError(f"{host} has no address")
    return found[0]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public net, and no other one in disguise."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        if ip in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None and not is_public(str(inner)):
            return False
    return ip.is_global and not ip.is_multicast


def post(url: str, body: str | bytes, headers: Mapping[str, str]) -> tuple[int, str]:
    """Post bytes to an address. Returns (status, the beginning of the answer). Raises NotPublic and OSError."""
    wrong = problem(url)
    if wrong:
        raise NotPublic(wrong)
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 443
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    plain = socket.create_connection((public_address(host, port), port), timeout=SECONDS)
    line = trusted().wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)  # `plain` is none any more
    late = threading.Event()
    ended = threading.Timer(SECONDS, end, [line, late])
    ended.daemon = True
    ended.start()
    try:
        line.do_handshake()
        connection = http.client.HTTPSConnection(host, port)
        connection.sock = line
        connection.request("POST", path, body, {"User-Agent": "Nomopoly", "Connection": "close", **headers})
        answer = connection.getresponse()
        said = answer.read(MOST_ANSWER).decode("utf-8", "replace")
        if late.is_set():
            raise TimeoutError(f"no whole answer in {SECONDS} seconds")
        return answer.status, said
    except (OSError, http.client.HTTPException) as error:
        if late.is_set():
            raise TimeoutError(f"no whole answer in {SECONDS} seconds") from error
        if isinstance(error, OSError):
            raise
        raise OSError(f"no answer that can be read: {type(error).__name__}") from error
    finally:
        ended.cancel()
        line.close()


def end(line: SSLSocket, late: threading.Event) -> None:
    """End a connection that takes too long; whoever reads from it gets an error."""
    late.set()
    try:
        socket.socket.shutdown(line, socket.SHUT_RDWR)  # shutdown of TLS would take away what the reader reads with
    except OSError:
        return


def trusted() -> SSLContext:
    """How the other side shows who it is."""
    return ssl.create_default_context()
