"""API keys as one caller may manage them: those that grant no more than the caller's own. Every change is in the audit log."""

from collections.abc import Sequence

from interlace.access.audit import AuditEntry, AuditLog, Event, Record
from interlace.access.callers import Caller
from interlace.access.keys import ApiKey, ApiKeys, Grant, NewKey
from interlace.domain.errors import ForbiddenError, NotFoundError


class KeyAdministration:
    """Creates, lists, revokes and rotates keys for a caller with the scope ``admin``."""

    def __init__(self, keys: ApiKeys, audit: AuditLog, caller: Caller) -> None:
        self._keys = keys
        self._audit = audit
        self._caller = caller

    def list(self) -> list[ApiKey]:
        """Return the keys whose tenants are all open to the caller, newest first."""
        return [key for key in self._keys.list() if self._caller.opens(key.tenants)]

    def create(self, grant: Grant) -> NewKey:
        """Create a key.

        Raises:
            ForbiddenError: it would grant a tenant or a scope that the caller's own key does not.
        """
        if not self._caller.opens(grant.tenants):
            raise ForbiddenError(
                f"The key {self._caller.key_id} has access to {', '.join(self._caller.tenants)}; it cannot create one for other tenants."
            )
        if beyond := sorted(set(grant.scopes) - self._caller.scopes):
            raise ForbiddenError(f"The key {self._caller.key_id} cannot give the scope {beyond[0]!r}, which it lacks.")
        made = self._keys.create(grant)
        self._record("created", made.id, grant.tenants, f"{grant.name}: {', '.join(grant.scopes)}")
        return made

    def revoke(self, identity: str) -> ApiKey:
        """Revoke a key permanently and return it.

        Raises:
            NotFoundError: the caller has no such key in reach.
        """
        key = self._get(identity)
        self._keys.revoke(identity)
        self._record("revoked", identity, key.tenants, key.name)
        return self._keys.get(identity)

    def rotate(self, identity: str) -> NewKey:
        """Give a key a new secret.

        Raises:
            ForbiddenError: it has a scope that the caller lacks and would gain with the secret.
            NotFoundError: the caller has no such key in reach, or it is revoked or expired.
        """
        key = self._get(identity)
        if beyond := sorted(set(key.scopes) - self._caller.scopes):
            raise ForbiddenError(f"The key {identity} has the scope {beyond[0]!r}, which {self._caller.key_id} lacks.")
        made = self._keys.rotate(identity)
        self._record("rotated", identity, key.tenants, key.name)
        return made

    def audit(self, limit: int) -> Sequence[AuditEntry]:
        """Return the newest entries of the audit log that concern keys in the caller's reach."""
        return self._audit.newest(limit, None if self._caller.every_tenant else self._caller.tenants)

    def _get(self, identity: str) -> ApiKey:
        key = self._keys.get(identity)
        if not self._caller.opens(key.tenants):
            raise NotFoundError(f"There is no key {identity}; `interlace keys list` lists them.")
        return key

    def _record(self, event: Event, key: str, tenants: tuple[str, ...], detail: str) -> None:
        by = f"by {self._caller.key_id}" if self._caller.key_id else "on this machine"
        self._audit.add(Record(event, f"{detail} ({by})", key, tenants))
