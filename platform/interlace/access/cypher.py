"""The guard of hand-written Cypher: checks of text and plan, tenant, limits, and a line in the audit log."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from interlace.access.audit import AuditLog, Record
from interlace.access.callers import Caller
from interlace.access.cypher_plan import check_plan
from interlace.access.cypher_text import check_text
from interlace.domain.errors import InvalidInputError
from interlace.ports.statements import Limits, StatementRunner, Table

MAX_ROWS: Final = 10_000
MAX_SECONDS: Final = 30.0
_MAX_BYTES: Final = 20_000_000
_PARAMETER_BYTES: Final = 100_000
_MAX_PARAMETERS: Final = 50
_NAME = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class GuardedCypher:
    """Runs statements that callers wrote, provided that they only read their tenant's data; the audit log keeps each that ran."""

    runner: StatementRunner
    audit: AuditLog

    def run(
        self, caller: Caller, tenant: str, text: str, params: Mapping[str, Any], *, rows: int, timeout: float
    ) -> Table:
        """Return the rows of a statement.

        Args:
            caller: the caller.
            tenant: the tenant to read: the parameter ``$tenant``, which callers cannot set.
            text: the statement.
            params: its parameters.
            rows: maximum number of rows.
            timeout: seconds that the statement may run.

        Raises:
            InvalidInputError: the guard or the database refuses the statement, or a limit was reached.
            UnavailableError: the database does not answer, or is busy with other statements.
        """
        check_text(text)
        values = {**_checked(params), "tenant": tenant}
        check_plan(self.runner.plan(text, values))
        detail = orjson.dumps({"tenant": tenant, "statement": text, "parameters": params}, default=str).decode()
        self.audit.add(Record("cypher", detail, caller.key_id, (tenant,)))
        limits = Limits(min(timeout, MAX_SECONDS), min(rows, MAX_ROWS), _MAX_BYTES)
        return self.runner.rows(text, values, limits)


def _checked(params: Mapping[str, Any]) -> Mapping[str, Any]:
    if "tenant" in params:
        raise InvalidInputError("$tenant is set by the server: the header `X-Interlace-Tenant` chooses it.")
    if wrong := [name for name in params if not _NAME.fullmatch(name)]:
        raise InvalidInputError(f"{wrong[0]!r} is not a valid parameter name; write letters, digits and underscores.")
    try:
        size = len(orjson.dumps(params))
    except (TypeError, ValueError) as error:  # numbers beyond 64 bits, surrogates
        raise InvalidInputError(f"The parameters cannot be sent to the database: {error}.") from error
    if len(params) > _MAX_PARAMETERS or size > _PARAMETER_BYTES:
        raise InvalidInputError(
            f"At most {_MAX_PARAMETERS} parameters of {_PARAMETER_BYTES} bytes in total are accepted."
        )
    return params
