"""What a server asks itself at its start: Neo4j makes its plans then, so that no caller waits for them."""

from contextlib import closing
from typing import Any

import pytest
from tests.integration.ingestion_world import World

from interlace.bootstrap import Platform
from interlace.documents.tenants import Tenants
from interlace.ports.graph import Query, Row

DOCUMENTS = {
    "wharf.md": "# Plover Wharf\n\nClara Hoffmann designed Plover Wharf with Jonas Albrecht.\n",
    "hoffmann.md": "# Clara Hoffmann\n\nClara Hoffmann was born in Rostock, as Jonas Albrecht was.\n",
}


@pytest.mark.parametrize("documents_of", ["the usual tenant", "another tenant"])
def test_they_find_something_with_and_without_a_filter(
    world: World, tenant: str, documents_of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan for an empty list serves no other."""
    world.ingest(tenant, DOCUMENTS)
    usual = tenant if documents_of == "the usual tenant" else "empty"
    monkeypatch.setattr(Tenants, "list", lambda _: [tenant])  # other tests have some, too
    ran: list[tuple[str, dict[str, Any]]] = []
    with closing(Platform.open(world.platform.settings.model_copy(update={"tenant": usual}))) as platform:
        run = platform.graph.run

        def recorded(query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
            ran.append((query.name, params))
            return run(query, timeout=timeout, **params)

        monkeypatch.setattr(platform.graph, "run", recorded)
        platform.warm_queries()
    expanded = [params for name, params in ran if name == "entities/expand_entities"]
    assert [params["filter"] is None for params in expanded if params["seeds"] and params["chunks"]] == [True, False]
    assert all(params["ids"] for name, params in ran if name == "chunks/hydrate_chunks")
