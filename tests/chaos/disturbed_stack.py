"""A stack whose servers are behind proxies: API, worker and beat reach Neo4j, Qdrant and Redis only through them.

It has servers of its own: its workers would sweep up what the tests before have left in those of ``stack``, and questions would wait for them.
"""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr
from tests.chaos.chaos_stack import tell
from tests.conftest import fresh_stack, migrate_graph
from tests.support.tcp_proxy import Fault, TcpProxy

from interlace.settings import IngestSettings, Settings
from interlace_stack.layout import layout_of
from interlace_stack.programs import APPS
from interlace_stack.up import up

LINES, LINE_CHARACTERS = 60, 200
LINE_LEAST = 80  # shorter ones are pieces of tracebacks
SERVERS = ("neo4j", "qdrant", "redis")


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A running stack behind proxies.

    Args:
        servers: settings that lead to its servers directly.
        settings: lead through the proxies.
        proxies: one a server, by its name in the settings.
    """

    servers: Settings
    settings: Settings
    proxies: dict[str, TcpProxy]

    @contextmanager
    def fault(self, server: str, fault: Fault) -> Iterator[TcpProxy]:
        """Disturb the way to a server inside the block."""
        proxy = self.proxies[server]
        proxy.set(fault)
        try:
            yield proxy
        finally:
            proxy.set(Fault.NONE)

    @contextmanager
    def logs_shown_on_failure(self) -> Iterator[None]:
        """Tell what worker and beat wrote last, if the block fails."""
        try:
            yield
        except AssertionError:
            layout = layout_of(self.settings)
            for program in ("worker", "beat"):
                lines = layout.log(program).read_text(encoding="utf-8").splitlines()
                shown = [line[:LINE_CHARACTERS] for line in lines if line.startswith("[") and len(line) > LINE_LEAST]
                tell("\n".join((f"-- {program}", *shown[-LINES:])))
            raise


@contextmanager
def disturbed(chance: random.Random) -> Iterator[Disturbed]:
    """Start servers, and API, worker and beat with proxies before them; stop everything at the end."""
    with ExitStack() as opened:
        servers = up(opened.enter_context(fresh_stack()), only=set(SERVERS), migrate=migrate_graph).settings
        addresses = {
            "neo4j": servers.neo4j.uri,
            "qdrant": servers.qdrant.url,
            "redis": servers.redis.url.get_secret_value(),
        }
        proxies = {name: opened.enter_context(TcpProxy(_server(url), chance)) for name, url in addresses.items()}
        through = {name: _through(url, proxies[name]) for name, url in addresses.items()}
        settings = opened.enter_context(
            fresh_stack(
                neo4j=servers.neo4j.model_copy(update={"uri": through["neo4j"], "retry_seconds": 3}),
                qdrant=servers.qdrant.model_copy(update={"url": through["qdrant"]}),
                redis=servers.redis.model_copy(update={"url": SecretStr(through["redis"])}),
                ingest=IngestSettings(lease_seconds=5, batch_documents=8),
            )
        )
        yield Disturbed(servers, up(settings, only=set(APPS)).settings, proxies)


def _server(url: str) -> tuple[str, int]:
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    return address.hostname, address.port


def _through(url: str, proxy: TcpProxy) -> str:
    return url.replace(f":{_server(url)[1]}", f":{proxy.port}")
