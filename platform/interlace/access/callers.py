"""Who sends a request, and what that caller may do."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from interlace.domain.errors import ForbiddenError
from interlace.domain.reader import EVERY_GROUP

Scope = Literal["read", "ingest", "delete", "decide", "cypher", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
EVERY_TENANT: Final = "*"
"""Stands for all tenants in a key's list, including future ones."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The holder of an API key, or the local user of a loopback address without keys.

    Args:
        key_id: the key; empty for a caller without one.
        tenants: the tenants it has access to; ``*`` stands for all.
        scopes: what it may do there.
        groups: groups of readers that its holder belongs to.
        rate: requests a minute; None for the server's own limit.
    """

    key_id: str
    tenants: tuple[str, ...]
    scopes: frozenset[Scope]
    groups: tuple[str, ...] = ()
    rate: int | None = None

    @property
    def sees_all(self) -> bool:
        """Whether this caller sees the documents of every group: by the group ``*``, or a scope that reads whole tenants."""
        return EVERY_GROUP in self.groups or not self.scopes.isdisjoint({"admin", "cypher"})

    @property
    def every_tenant(self) -> bool:
        """Whether all tenants are open to this caller."""
        return EVERY_TENANT in self.tenants

    def can_access(self, tenants: tuple[str, ...]) -> bool:
        """Return whether all of these tenants are open to this caller; ``*`` is open only to one who has it."""
        return self.every_tenant or (bool(tenants) and set(tenants) <= set(self.tenants))

    def require_scopes(self, *scopes: Scope, every_tenant: bool = False) -> None:
        """Check that the caller has one of some scopes.

        Raises:
            ForbiddenError: the key has none of them, or is limited to some tenants.
        """
        if self.scopes.isdisjoint(scopes):
            having = ", ".join(sorted(self.scopes)) or "none"
            needed = " or ".join(map(repr, scopes))
            raise ForbiddenError(f"This needs a key with the scope {needed}; the key {self.key_id} has {having}.")
        if every_tenant and not self.every_tenant:
            raise ForbiddenError(
                f"This concerns all tenants, and the key {self.key_id} has access only to some; use a key for the tenant '*'."
            )

    def choose_tenant(self, requested_tenant: str | None, default: str) -> str:
        """Return the tenant that a request is for.

        Args:
            requested_tenant: the one it names.
            default: the server's own, for a request that names none; with a key for a single other tenant, that tenant.

        Raises:
            ForbiddenError: the key has no access to it, or to several and the request names none of them.
        """
        if requested_tenant is None and not self.can_access((default,)) and len(self.tenants) == 1:
            return self.tenants[0]
        chosen = requested_tenant or default
        if not self.can_access((chosen,)):
            raise ForbiddenError(
                f"The key {self.key_id} has no access to the tenant {chosen!r}; `X-Interlace-Tenant` chooses among those that it has."
            )
        return chosen


EVERYBODY: Final = Caller("", (EVERY_TENANT,), frozenset(SCOPES))
"""The local user of a loopback address without keys, who could just as well open the database."""
