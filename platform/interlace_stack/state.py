"""``stack.json``: the ports of a stack and its generated credentials, readable by its owner only."""

import json
import secrets
from dataclasses import asdict, dataclass, replace
from typing import Any

from interlace.domain.errors import StackError
from interlace.settings import Settings
from interlace_stack.external import external_servers
from interlace_stack.layout import Layout, write_private

FORMAT = 1


@dataclass(frozen=True, slots=True)
class StackState:
    """Ports and credentials of a stack's servers.

    Args:
        bolt_port: Neo4j, Bolt.
        browser_port: Neo4j, HTTP and Neo4j Browser.
        qdrant_port: Qdrant.
        redis_port: Redis.
        api_port: the HTTP API.
        neo4j_password: of the user ``neo4j``.
        qdrant_api_key: sent in the header ``api-key``.
        redis_password: of the default user.
        format: version of this file.
    """

    bolt_port: int
    browser_port: int
    qdrant_port: int
    redis_port: int
    api_port: int
    neo4j_password: str
    qdrant_api_key: str
    redis_password: str
    format: int = FORMAT

    @property
    def bolt_uri(self) -> str:
        """Neo4j's address for drivers."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def http_url(self) -> str:
        """Neo4j's HTTP address, without trailing slash."""
        return f"http://127.0.0.1:{self.browser_port}"

    @property
    def browser_url(self) -> str:
        """Neo4j Browser's address."""
        return f"{self.http_url}/browser/"

    @property
    def qdrant_url(self) -> str:
        """Qdrant's address."""
        return f"http://127.0.0.1:{self.qdrant_port}"

    @property
    def redis_url(self) -> str:
        """Redis' address with its password."""
        return f"redis://:{self.redis_password}@127.0.0.1:{self.redis_port}/0"


def read_state(layout: Layout) -> StackState | None:
    """Return the stack's state, or None if it was never started.

    Raises:
        StackError: the file is damaged or of another format.
    """
    try:
        text = layout.state_file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        values = json.loads(text)
        if values["format"] != FORMAT:
            raise StackError(
                f"{layout.state_file} has format {values['format']}, this version of Interlace reads {FORMAT}. "
                "Use the version that wrote it, or choose another INTERLACE_STACK__NAME."
            )
        return StackState(**values)
    except (ValueError, TypeError, KeyError) as error:
        raise StackError(
            f"{layout.state_file} is damaged ({error}). Restore it, or remove {layout.root} to start with an empty stack."
        ) from None


def ensure_state(settings: Settings, layout: Layout) -> StackState:
    """Return the state with the ports of the settings, and write it to ``stack.json``; the first call generates credentials.

    The first call uses a password or key set by the user instead of a generated one; the servers keep it.

    Raises:
        StackError: the file is damaged, or the user sets another Neo4j password than the one in it.
    """
    password = "" if "neo4j" in external_servers(settings) else settings.neo4j.password.get_secret_value()
    known = read_state(layout) or _generated(settings, password)
    if password and password != known.neo4j_password:
        raise StackError(
            f"INTERLACE_NEO4J__PASSWORD is not the password of this stack, which is in {layout.state_file}. Unset it, or choose another "
            "INTERLACE_STACK__NAME. If you changed it in Neo4j: `interlace down`, change neo4j_password in that file, `interlace up`."
        )
    state = replace(known, **_ports(settings))
    if state != known or not layout.state_file.exists():
        write_private(layout.state_file, json.dumps(asdict(state), indent=2) + "\n")
    return state


def _generated(settings: Settings, neo4j_password: str) -> StackState:
    api_key = "" if "qdrant" in external_servers(settings) else settings.qdrant.api_key.get_secret_value()
    return StackState(
        **_ports(settings),
        neo4j_password=neo4j_password or secrets.token_urlsafe(24),
        qdrant_api_key=api_key or secrets.token_urlsafe(24),
        redis_password=secrets.token_urlsafe(24),
    )


def _ports(settings: Settings) -> dict[str, Any]:
    return {f"{name}_port": port for name, port in settings.stack.ports} | {"api_port": settings.api.port}
