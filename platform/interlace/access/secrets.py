"""The text of an API key, ``id.secret``: how it is made, read and compared.

The secret has 256 random bits, so that its SHA-256 cannot be inverted by guessing; a slow hash, which passwords need, would only make every
request slower (ADR 45).
"""

import hashlib
import hmac
import re
import secrets
from typing import Final

_ID_BYTES: Final = 6
_SECRET_BYTES: Final = 32
_KEY = re.compile(r"(ik_[0-9a-f]{12}|settings-[0-9a-f]{16})\.[A-Za-z0-9_-]{43}")
_ABSENT: Final = "0" * 64
MAX_SECRET_CHARACTERS: Final = 512
"""Maximum characters of a key; anything longer is not a key."""


def new_id() -> str:
    """Return an id that no key has; scanners for leaked secrets can recognise keys by its prefix."""
    return f"ik_{secrets.token_hex(_ID_BYTES)}"


def new_key(key_id: str) -> str:
    """Return the text of a key with this id and a new secret."""
    return f"{key_id}.{secrets.token_urlsafe(_SECRET_BYTES)}"


def digest_of(key: str) -> str:
    """Return what is stored of a key: the SHA-256 of its text, hexadecimal."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def id_of(key: str) -> str:
    """Return the id under which a key is stored: its own or, for one of ``INTERLACE_API__KEYS``, whose text is arbitrary, that of its digest."""
    found = _KEY.fullmatch(key)
    return found[1] if found else adopted_id(digest_of(key))


def adopted_id(digest: str) -> str:
    """Return the id of a key that ``INTERLACE_API__KEYS`` names by its digest."""
    return f"settings-{digest[:16]}"


def matches(key: str, digest: str | None) -> bool:
    """Return whether a key has this digest, in constant time; without a digest the comparison is made all the same."""
    return hmac.compare_digest(digest_of(key).encode(), (digest or _ABSENT).encode()) and digest is not None
