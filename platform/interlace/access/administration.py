"""API keys as one caller may manage them: those that grant no more than the caller's own. Every change is in the audit log."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from interlace.access.audit import AuditEntry, AuditLog, Event, Record, entry_of
from interlace.access.callers import Caller
from interlace.access.keys import ApiKey, ApiKeys, Grant, NewKey, new_key, no_key
from interlace.domain.errors import ForbiddenError
from interlace.ports.graph import GraphDatabase, Transaction
from interlace.queries.access import write_audit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeyAdministration:
    """Creates, lists, revokes and rotates keys for a caller with the scope ``admin``."""

    graph: GraphDatabase
    log: AuditLog
    caller: Caller

    @property
    def keys(self) -> ApiKeys:
        """The keys of the installation."""
        return ApiKeys(self.graph)

    def list(self) -> list[ApiKey]:
        """Return the keys whose tenants are all open to the caller, newest first."""
        return [key for key in self.keys.list() if self.caller.can_access(key.tenants)]

    def create(self, grant: Grant) -> NewKey:
        """Create a key.

        Raises:
            ForbiddenError: it would grant a tenant or a scope that the caller's own key does not.
        """
        if not self.caller.can_access(grant.tenants):
            raise ForbiddenError(
                f"The key {self.caller.key_id} has access to {', '.join(self.caller.tenants)}; it cannot create one for other tenants."
            )
        if beyond := sorted(set(grant.scopes) - self.caller.scopes):
            raise ForbiddenError(f"The key {self.caller.key_id} cannot give the scope {beyond[0]!r}, which it lacks.")
        made, detail = new_key(), f"{grant.name}: {', '.join(grant.scopes)}"
        return self._change("created", made.id, grant.tenants, detail, lambda keys: keys.create(grant, made))

    def revoke(self, key_id: str) -> ApiKey:
        """Revoke a key permanently and return it.

        Raises:
            NotFoundError: the caller has no such key in reach.
        """
        key = self._get(key_id)
        self._change("revoked", key_id, key.tenants, key.name, lambda keys: keys.revoke(key_id))
        return self.keys.get(key_id)

    def rotate(self, key_id: str) -> NewKey:
        """Give a key a new secret.

        Raises:
            ForbiddenError: it has a scope that the caller lacks and would gain with the secret.
            NotFoundError: the caller has no such key in reach, or it is revoked or expired.
        """
        key = self._get(key_id)
        if beyond := sorted(set(key.scopes) - self.caller.scopes):
            raise ForbiddenError(f"The key {key_id} has the scope {beyond[0]!r}, which {self.caller.key_id} lacks.")
        return self._change("rotated", key_id, key.tenants, key.name, lambda keys: keys.rotate(key_id))

    def audit(self, limit: int) -> Sequence[AuditEntry]:
        """Return the newest entries of the audit log that concern keys in the caller's reach."""
        return self.log.newest(limit, None if self.caller.every_tenant else self.caller.tenants)

    def _get(self, key_id: str) -> ApiKey:
        key = self.keys.get(key_id)
        if not self.caller.can_access(key.tenants):
            raise no_key(key_id)
        return key

    def _change(
        self, event: Event, key_id: str, tenants: tuple[str, ...], detail: str, change: Callable[[ApiKeys], T]
    ) -> T:
        by = f"by {self.caller.key_id}" if self.caller.key_id else "on this machine"
        entry = entry_of(Record(event, f"{detail} ({by})", key_id, tenants))

        def work(tx: Transaction) -> T:
            changed = change(ApiKeys(tx))
            write_audit(tx, entries=[entry])
            return changed

        return self.graph.transact(work)
