"""Identifies callers by their keys, as the database had them less than a second ago."""

import time
from collections.abc import Sequence
from typing import Final

from interlace.access.audit import AuditLog
from interlace.access.callers import EVERYBODY, Caller
from interlace.access.keys import ApiKey, ApiKeys
from interlace.access.recent import Recent
from interlace.access.secrets import MAX_SECRET_CHARACTERS, digest_of
from interlace.domain.errors import UnavailableError

FRESH_SECONDS: Final = 0.5
"""How long a process relies on what it read about a key: revocation takes effect everywhere within a second."""


class Keyring:
    """Finds the caller of a request; safe to share between threads.

    A loopback address is open to everybody on the machine until the first key is created. From then on, and on any other address, a key
    is required, even when every key has been revoked: that must not reopen access.

    Args:
        keys: the keys of the installation.
        audit: records the use of keys.
        digests: keys from the settings, which are adopted at the first request.
        may_be_open: whether callers need no key as long as none was ever created.
    """

    def __init__(self, keys: ApiKeys, audit: AuditLog, *, digests: Sequence[str], may_be_open: bool) -> None:
        self._keys = keys
        self._audit = audit
        self._digests = digests
        self._closed = bool(digests) or not may_be_open
        self._known_open = False
        self._asked_at = float("-inf")
        self._adopted = not digests
        self._found = Recent[ApiKey](FRESH_SECONDS)

    def remembered(self, given: str) -> Caller | None:
        """Return the caller if this process asked less than half a second ago; None if the database must be asked."""
        if not self._closed:
            return EVERYBODY if self._known_open and time.monotonic() - self._asked_at < FRESH_SECONDS else None
        key = self._found.get(digest_of(given[: MAX_SECRET_CHARACTERS + 1]))
        return key.caller if key and key.state == "active" else None

    def identify(self, given: str) -> Caller | ApiKey | None:
        """Return the caller, the key that is revoked or expired, or None for a text, possibly empty, that is not a key.

        Raises:
            UnavailableError: the database does not answer, and it is not known to be free of keys.
        """
        if self._open():
            return EVERYBODY
        self._adopt()
        asked_at = time.monotonic()  # before the answer, so that the time it takes is part of its age
        key = self._keys.find(given)
        if key is None or key.state != "active":
            return key
        self._found.put(digest_of(given[: MAX_SECRET_CHARACTERS + 1]), key, asked_at)
        self._audit.used(key.id)
        return key.caller

    def _open(self) -> bool:
        """Return whether the address is a loopback address and no key was ever created.

        While the database is down no key can be created either, so its last answer still holds.
        """
        if self._closed:
            return False
        asked_at = time.monotonic()
        try:
            self._closed = self._keys.exist()
        except UnavailableError:
            if not self._known_open:
                raise
            return True
        self._known_open, self._asked_at = not self._closed, asked_at
        return self._known_open

    def _adopt(self) -> None:
        if not self._adopted:
            self._keys.adopt(self._digests)
            self._adopted = True
