"""API keys in the graph: created, listed, revoked, rotated, and adopted from the settings."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from interlace.access import secrets
from interlace.access.callers import EVERY_TENANT, SCOPES, Caller, Scope
from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.reader import EVERY_GROUP
from interlace.domain.validation import GROUP, TENANT, hint
from interlace.ports.graph import QueryRunner
from interlace.queries import access as queries

_logger = logging.getLogger(__name__)
MAX_NAME_CHARACTERS: Final = 200
MAX_PER_MINUTE: Final = 1_000_000
"""Requests a minute that a key may have."""
MAX_ENTRIES: Final = 1000
"""Tenants or groups that a key may have."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key without its secret. Times are in milliseconds since 1970.

    Args:
        id: its public part.
        name: what it is for.
        tenants: the tenants it grants access to; ``*`` stands for all.
        scopes: what it may do there.
        groups: groups of readers that its holder belongs to.
        expires_at: when it ends; None for never.
        rate: requests a minute; None for the server's own limit.
        created_at: when it was created.
        last_used_at: when it was last used, at most a minute out of date; None for never.
        revoked_at: when it was revoked; None if it is not.
    """

    id: str
    name: str
    tenants: tuple[str, ...]
    scopes: tuple[Scope, ...]
    groups: tuple[str, ...]
    expires_at: int | None
    rate: int | None
    created_at: int
    last_used_at: int | None
    revoked_at: int | None

    @property
    def state(self) -> str:
        """``active``, ``revoked`` or ``expired``."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= time.time() * 1000 else "active"

    @property
    def caller(self) -> Caller:
        """The holder of the key."""
        return Caller(self.id, self.tenants, frozenset(self.scopes), self.groups, self.rate)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key with its full text, which is shown only once and stored nowhere."""

    key: str
    id: str


@dataclass(frozen=True, slots=True)
class Grant:
    """What a new key grants access to.

    Raises:
        InvalidInputError: a tenant, a scope, a group, the rate or the time of expiry cannot be one.
    """

    name: str
    tenants: tuple[str, ...]
    scopes: tuple[str, ...]
    groups: tuple[str, ...] = ()
    expires_at: int | None = None
    rate: int | None = None

    def __post_init__(self) -> None:
        kinds = (("tenant", self.tenants, TENANT, EVERY_TENANT), ("group", self.groups, GROUP, EVERY_GROUP))
        for word, found, pattern, every in kinds:
            if wrong := [item for item in found if item != every and not pattern.matches(item)]:
                raise InvalidInputError(
                    f"{wrong[0]!r} is not a valid {word} name; it must be {pattern.description}, or `{every}` for all."
                )
            if len(found) > MAX_ENTRIES:
                raise InvalidInputError(f"A key may have at most {MAX_ENTRIES} {word}s, not {len(found)}.")
        if unknown := sorted(set(self.scopes) - set(SCOPES)):
            raise InvalidInputError(
                f"{unknown[0]!r} is not a scope; use one of {', '.join(SCOPES)}{hint(unknown[0], SCOPES)}"
            )
        if not self.tenants or not self.scopes:
            raise InvalidInputError("A key needs at least one tenant and one scope.")
        if not self.name.strip() or len(self.name) > MAX_NAME_CHARACTERS or not self.name.isprintable():
            raise InvalidInputError(f"A key needs a name of at most {MAX_NAME_CHARACTERS} printable characters.")
        if self.rate is not None and not 1 <= self.rate <= MAX_PER_MINUTE:
            raise InvalidInputError(f"A rate limit is 1 to {MAX_PER_MINUTE:,} requests a minute, not {self.rate:,}.")
        if self.expires_at is not None and self.expires_at <= time.time() * 1000:
            raise InvalidInputError("The key would expire at once; give it a time in the future.")


def new_key() -> NewKey:
    """Return the text of a key that is still to be created."""
    key_id = secrets.new_id()
    return NewKey(secrets.new_key(key_id), key_id)


def no_key(key_id: str) -> NotFoundError:
    """Return the error that no key has an id, or none that the caller may know of."""
    return NotFoundError(f"There is no key {key_id}; `interlace keys list` lists them.")


@dataclass(frozen=True, slots=True)
class ApiKeys:
    """The keys of the installation. Every method raises ``UnavailableError`` when the database does not answer."""

    graph: QueryRunner

    def create(self, grant: Grant, made: NewKey | None = None) -> NewKey:
        """Create a key; its secret is returned here and never again.

        Args:
            grant: what it grants access to.
            made: its text, for a transaction that may run again; None for one that is made here.
        """
        made = made or new_key()
        self._write(made.id, secrets.digest_of(made.key), grant)
        return made

    def list(self) -> list[ApiKey]:
        """Return every key, newest first."""
        return [_api_key(row) for row in queries.list_keys(self.graph)]

    def get(self, key_id: str) -> ApiKey:
        """Return a key.

        Raises:
            NotFoundError: there is no key of this id.
        """
        row = queries.read_key(self.graph, id=key_id)
        if row is None:
            raise no_key(key_id)
        return _api_key(row)

    def revoke(self, key_id: str) -> None:
        """Revoke a key permanently; every process refuses it within a second.

        Raises:
            NotFoundError: there is no key of this id.
        """
        self.get(key_id)
        queries.revoke_key(self.graph, id=key_id)

    def rotate(self, key_id: str) -> NewKey:
        """Give a key a new secret; the old one is refused within a second.

        Raises:
            NotFoundError: there is no key of this id, or it is revoked or expired: a new secret would not make it valid.
        """
        key = secrets.new_key(key_id)
        if queries.rotate_key(self.graph, id=key_id, digest=secrets.digest_of(key)) is None:
            raise NotFoundError(
                f"There is no key {key_id} that is neither revoked nor expired; create a new one with `interlace keys create`."
            )
        return NewKey(key, key_id)

    def exist(self) -> bool:
        """Return whether a key was ever created; revoked ones stay, so that this never becomes false again."""
        return queries.has_keys(self.graph) is not None

    def find(self, key: str) -> ApiKey | None:
        """Return the key with this full text, whatever its state; None for a text that is not a key."""
        if not key or len(key) > secrets.MAX_SECRET_CHARACTERS:
            return None
        row = queries.read_key(self.graph, id=secrets.id_of(key))
        return _api_key(row) if secrets.matches(key, row.digest if row else None) and row else None

    def adopt(self, digests: Sequence[str]) -> None:
        """Adopt keys that the settings name by their digests: each grants access to everything, as it always did, until it is revoked here.

        Raises:
            UnavailableError: the database does not answer.
        """
        for digest in digests:
            key_id = secrets.adopted_id(digest)
            if queries.read_key(self.graph, id=key_id) is None:
                self._write(key_id, digest, Grant("from INTERLACE_API__KEYS", (EVERY_TENANT,), SCOPES))
                _logger.warning(
                    "The key %s of INTERLACE_API__KEYS is now stored in the database, with access to every tenant and scope. Replace it "
                    "with `interlace keys create`, revoke it with `interlace keys revoke %s`, then remove it from the settings.",
                    key_id,
                    key_id,
                )

    def _write(self, key_id: str, digest: str, grant: Grant) -> None:
        queries.write_key(
            self.graph,
            id=key_id,
            digest=digest,
            name=grant.name,
            tenants=sorted(set(grant.tenants)),
            scopes=[scope for scope in SCOPES if scope in grant.scopes],
            groups=sorted(set(grant.groups)),
            expires_at=grant.expires_at,
            rate=grant.rate,
        )


def _api_key(row: queries.ListKeysRow) -> ApiKey:
    return ApiKey(
        id=row.id,
        name=row.name,
        tenants=tuple(row.tenants),
        scopes=cast("tuple[Scope, ...]", tuple(scope for scope in row.scopes if scope in SCOPES)),
        groups=tuple(row.groups),
        expires_at=row.expires_at,
        rate=row.rate,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
    )
