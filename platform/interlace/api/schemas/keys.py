"""What ``/v1/keys`` and ``/v1/audit`` take and give."""

from datetime import datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from interlace.access.callers import Scope
from interlace.access.keys import MAX_ENTRIES, MAX_NAME_CHARACTERS, MAX_PER_MINUTE, Grant
from interlace.api.schemas.request_body import RequestBody


class KeyBody(RequestBody):
    """A key to create."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "wiki robot", "tenants": ["default"], "scopes": ["read"]}]}
    )

    name: str = Field(
        min_length=1, max_length=MAX_NAME_CHARACTERS, description="what the key is for", examples=["wiki robot"]
    )
    tenants: list[str] = Field(
        min_length=1, max_length=MAX_ENTRIES, description="tenants that it has access to; `*` for all"
    )
    scopes: list[Scope] = Field(min_length=1, max_length=16, description="what it may do there")
    groups: list[str] = Field(
        [], max_length=MAX_ENTRIES, description="groups of readers that its holder belongs to; `*` for all"
    )
    expires_at: AwareDatetime | None = Field(None, description="when it expires; never if not given")
    rate: int | None = Field(
        None, ge=1, le=MAX_PER_MINUTE, description="requests a minute; the server's own limit if not given"
    )

    def to_domain(self) -> Grant:
        """Return what the key is to open.

        Raises:
            InvalidInputError: a name of a tenant or a group cannot be one, or the time is past.
        """
        expires = None if self.expires_at is None else int(self.expires_at.timestamp() * 1000)
        return Grant(self.name, tuple(self.tenants), tuple(self.scopes), tuple(self.groups), expires, self.rate)


class KeyInfo(BaseModel):
    """A key without its secret."""

    # Times are read from numbers: pydantic takes those above 2 * 10^10 for milliseconds, which all of this century are.
    id: str
    name: str
    state: str = Field(description="`active`, `expired` or `revoked`")
    tenants: list[str]
    scopes: list[Scope]
    groups: list[str]
    rate: int | None = Field(description="requests a minute; the server's own limit if null")
    created_at: datetime | None
    expires_at: datetime | None
    last_used_at: datetime | None = Field(description="at most a minute behind")
    revoked_at: datetime | None


class CreatedKey(BaseModel):
    """A key with its secret, which is shown only once."""

    id: str
    key: str = Field(description="send it as `Authorization: Bearer KEY`; the server keeps only its SHA-256")


class AuditLogEntry(BaseModel):
    """An entry of the audit log."""

    id: str
    at: datetime | None = Field(description="when it first happened")
    event: str = Field(
        description="`refused`, `created`, `revoked`, `rotated`, `cypher`, `decided`, `undone` or `removed`"
    )
    key: str = Field(description="the key's id; empty if none was known")
    detail: str
    method: str
    path: str = Field(description="path of the request")
    count: int = Field(description="occurrences within a second")
