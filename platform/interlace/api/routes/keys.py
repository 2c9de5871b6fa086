"""``/v1/keys`` and ``/v1/audit``: the keys of the tenants that an administrator has, and what was refused to them."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from interlace.access.administration import KeyAdministration
from interlace.access.audit import AuditEntry
from interlace.access.keys import ApiKey
from interlace.api.dependencies import PlatformDep
from interlace.api.problems import RESPONSES
from interlace.api.schemas.keys import AuditLogEntry, CreatedKey, KeyBody, KeyInfo
from interlace.api.scopes import CallerOf, requires

router = APIRouter(prefix="/v1", tags=["keys"], responses=RESPONSES, dependencies=[requires("admin")])


def _administration(request: Request, platform: PlatformDep, caller: CallerOf) -> KeyAdministration:
    return KeyAdministration(platform.graph, request.app.state.audit, caller)


Administration = Annotated[KeyAdministration, Depends(_administration)]


@router.get("/keys", response_model=list[KeyInfo])
def list_keys(administration: Administration) -> list[ApiKey]:
    """Return the keys that have access to no tenants beyond the caller's, newest first."""
    return administration.list()


@router.post("/keys", status_code=201)
def create_key(body: KeyBody, administration: Administration, response: Response) -> CreatedKey:
    """Create a key with at most the access of the caller's own; its secret is in this response and nowhere else."""
    made = administration.create(body.to_domain())
    response.headers["Cache-Control"] = "no-store"
    return CreatedKey(id=made.id, key=made.key)


@router.delete("/keys/{key_id}", response_model=KeyInfo)
def revoke_key(key_id: str, administration: Administration) -> ApiKey:
    """Revoke a key for good; every process refuses it within a second."""
    return administration.revoke(key_id)


@router.post("/keys/{key_id}/rotate")
def rotate_key(key_id: str, administration: Administration, response: Response) -> CreatedKey:
    """Give a key a new secret; the old one is refused within a second."""
    made = administration.rotate(key_id)
    response.headers["Cache-Control"] = "no-store"
    return CreatedKey(id=made.id, key=made.key)


@router.get("/audit", response_model=list[AuditLogEntry])
def list_audit(
    administration: Administration, limit: Annotated[int, Query(ge=1, le=1000, description="entries to return")] = 100
) -> Sequence[AuditEntry]:
    """Return the newest entries of the audit log: refusals, changes of keys, Cypher statements."""
    return administration.audit(limit)
