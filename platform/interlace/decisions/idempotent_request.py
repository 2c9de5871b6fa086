"""A request that may be repeated, also when names and ids have come to mean something else: it decides once."""

from dataclasses import dataclass

from interlace.domain.errors import ConflictError
from interlace.ports.graph import QueryRunner
from interlace.queries.decisions import find_request


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request with an idempotency key.

    Args:
        key: the key.
        digest: digest of the request as it was sent.
    """

    key: str
    digest: str

    def recorded(self, runner: QueryRunner, tenant: str) -> str | None:
        """Return the id of the decision that the request has recorded, also one that was undone since; None if it is new.

        Raises:
            ConflictError: the key was used for another request.
        """
        row = find_request(runner, tenant=tenant, request_key=self.key)
        if row is None:
            return None
        if row.digest != self.digest:
            raise ConflictError(
                f"The Idempotency-Key {self.key!r} was used for another decision; use a new key for this one."
            )
        return row.id
