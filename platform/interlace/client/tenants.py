"""Tenants over the HTTP API."""

import time
from dataclasses import dataclass
from typing import Any

from interlace.client.arguments import path_part
from interlace.client.http import Http
from interlace.domain.errors import NotFoundError, UnavailableError

_ASK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class TenantClient:
    """Lists and removes tenants: ``interlace.tenants.list()``. Removal needs a key with the scope ``admin``."""

    http: Http

    def list(self) -> list[str]:
        """Return the names of the tenants that the key opens."""
        found: list[str] = self.http.get("/v1/tenants")
        return found

    def state(self, tenant: str) -> dict[str, Any]:
        """Return the ``state`` of a tenant, ``ready`` or ``removing``, and the ``counts`` of what it holds.

        Raises:
            NotFoundError: there is none, or none any more.
        """
        found: dict[str, Any] = self.http.get(f"/v1/tenants/{path_part('tenant', tenant)}")
        return found

    def remove(self, tenant: str, *, confirm: str, timeout: float = 600) -> None:
        """Remove a tenant and all its data, and wait until it is gone. This cannot be undone.

        Args:
            tenant: which.
            confirm: its name again.
            timeout: seconds to wait; 0 to return at once.

        Raises:
            InvalidInputError: the name is not confirmed.
            NotFoundError: there is no such tenant.
            UnavailableError: it was not gone in time; its removal goes on.
        """
        self.http.delete(f"/v1/tenants/{path_part('tenant', tenant)}", confirm=confirm)
        deadline = time.monotonic() + timeout
        while timeout:
            try:
                self.state(tenant)
            except NotFoundError:
                return
            if time.monotonic() > deadline:
                raise UnavailableError(
                    f"Tenant {tenant} is still being removed; `tenants.state({tenant!r})` shows what is left."
                )
            time.sleep(_ASK_SECONDS)
