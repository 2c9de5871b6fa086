"""API keys and audit log in memory: answers the queries of ``cypher/queries/access`` as a database would."""

import math
import time
from dataclasses import dataclass, field
from typing import Any

from interlace.access.callers import SCOPES
from interlace.access.keys import ApiKeys, Grant
from interlace.ports.graph import GraphDatabase, Query, Row

COLUMNS = (
    "id",
    "digest",
    "name",
    "tenants",
    "scopes",
    "groups",
    "expiresAt",
    "rate",
    "createdAt",
    "lastUsedAt",
    "revokedAt",
)


@dataclass(slots=True)
class MemoryKeys:
    """What the database holds of keys and audit log.

    Args:
        keys: rows by id.
        audit: entries in the order in which they came.
        asked: how often a key was read.
    """

    keys: dict[str, dict[str, Any]] = field(default_factory=dict)
    audit: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:  # noqa: ARG002 - the port's
        """Answer a query; every tenant counts as begun, and none as being removed."""
        if query.name == "tenants/tenant_known":
            return [{"known": True}]
        if query.name == "tenants/tenant_being_removed":
            return []
        found: list[Row] = getattr(self, f"_{query.name.removeprefix('access/')}")(**params)
        return found

    def _has_keys(self) -> list[Row]:
        return [{"id": key} for key in list(self.keys)[:1]]

    def _read_key(self, id: str) -> list[Row]:  # noqa: A002 - the parameter's name
        self.asked += 1
        return [dict(self.keys[id])] if id in self.keys else []

    def _list_keys(self) -> list[Row]:
        return [dict(key) for key in reversed(self.keys.values())]

    def _write_key(self, **params: Any) -> list[Row]:
        new = dict.fromkeys(COLUMNS) | params | {"createdAt": int(time.time() * 1000)}
        self.keys.setdefault(params["id"], new)
        return []

    def _revoke_key(self, id: str) -> list[Row]:  # noqa: A002 - the parameter's name
        self.keys[id]["revokedAt"] = self.keys[id]["revokedAt"] or int(time.time() * 1000)
        return [{"id": id}]

    def _rotate_key(self, id: str, digest: str) -> list[Row]:  # noqa: A002 - the parameter's name
        key = self.keys.get(id)
        if not key or key["revokedAt"] or (key["expiresAt"] or math.inf) <= time.time() * 1000:
            return []
        self.keys[id]["digest"] = digest
        return [{"id": id}]

    def _note_uses(self, uses: list[dict[str, Any]]) -> list[Row]:
        for use in uses:
            self.keys[use["id"]]["lastUsedAt"] = use["at"]
        return []

    def _write_audit(self, entries: list[dict[str, Any]]) -> list[Row]:
        self.audit += entries
        return []

    def _list_audit(self, tenants: list[str] | None, limit: int) -> list[Row]:
        seen = [
            entry
            for entry in reversed(self.audit)
            if tenants is None or (entry["tenants"] and set(entry["tenants"]) <= set(tenants))
        ]
        return [
            {"calls" if name == "count" else name: value for name, value in entry.items()} for entry in seen[:limit]
        ]


def make_key(graph: GraphDatabase, *scopes: str, tenants: tuple[str, ...] = ("*",), **grant: Any) -> str:
    """Make a key and return its text; without scopes it has all of them."""
    return ApiKeys(graph).create(Grant("test", tenants, scopes or SCOPES, **grant)).key
