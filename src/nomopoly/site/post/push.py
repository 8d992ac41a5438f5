"""Web push: a message for one device, sealed for its browser (RFC 8291) and signed with the site's own key (RFC
8292)."""

from __future__ import annotations

import base64
import binascii
import json
import os
import time
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.translation import gettext as _
from py_vapid import Vapid02

if TYPE_CHECKING:
    from nomopoly.site.post.models import Target
    from nomopoly.site.shapes import Data

KEEP = 86_400  # seconds that a push service keeps a message for a device that is off
SIGNED_FOR = 12 * 3600  # seconds
ORDER_OF_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve's group


@cache
def key() -> Any:
    """The site's key: made from the key of the installation, so that all its machines have the same, and a restored
    site too.

    A site that has had one of its own from before, in push-key.pem of the data folder, keeps it: devices know it.
    """
    path = settings.DATA / "push-key.pem"
    if path.exists():
        return Vapid02.from_pem(path.read_bytes())
    return Vapid02(made_from(settings.SECRET_KEY))


def made_from(secret: str) -> EllipticCurvePrivateKey:
    """The private key that belongs to a secret: its number comes from 384 bits, so that none is likelier than
    another."""
    bits = HKDF(hashes.SHA256(), length=48, salt=None, info=b"nomopoly web push").derive(secret.encode())
    return ec.derive_private_key(int.from_bytes(bits, "big") % (ORDER_OF_P256 - 1) + 1, ec.SECP256R1())


def public_key() -> str:
    """The key that a browser subscribes with, as it wants it."""
    shape = serialization.PublicFormat.UncompressedPoint
    point = key().public_key.public_bytes(serialization.Encoding.X962, shape)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def read(word: str) -> bytes:
    """The bytes of a key as browsers write it."""
    return base64.urlsafe_b64decode(f"{word}{'=' * (-len(word) % 4)}")


def problem(keys: dict[Any, Any]) -> str | None:
    """Why these are not the keys of a device, or None."""
    try:
        sizes = [len(read(keys[name])) for name in ("p256dh", "auth")]
    except (KeyError, TypeError, ValueError, binascii.Error):
        sizes = []
    return None if sizes == [65, 16] else _("This device has sent no keys that can be used.")


def sealed(target: Target, told: Data) -> tuple[bytes, dict[str, str]]:
    """(Body, headers) of a message for a device. Raises ValueError where its keys are none."""
    wrong = problem(target.keys)
    if wrong:
        raise ValueError(wrong)
    try:
        body = http_ece.encrypt(
            json.dumps(told).encode(),
            salt=os.urandom(16),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=read(target.keys["p256dh"]),
            auth_secret=read(target.keys["auth"]),
            version="aes128gcm",
        )
    except http_ece.ECEException as error:
        raise ValueError(f"the keys of the device are none: {error}") from error
    parts = urlsplit(target.url)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED_FOR, "sub": contact()}
    headers = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "TTL": str(KEEP)}
    return body, headers | key().sign(claims)


def contact() -> str:
    """Whom a push service can write to about us."""
    sender = settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">")
    return f"mailto:{sender}"
