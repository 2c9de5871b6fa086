"""What a server asks itself at its start: Neo4j makes its plans then, so that no caller waits for them."""

from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest
from tests.integration.ingestion_world import World

from interlace.answers.service import AnswerService
from interlace.bootstrap import Platform
from interlace.documents.tenants import Tenants
from interlace.ports.graph import Query, Row

DOCUMENTS = {
    "wharf.md": "# Plover Wharf\n\nClara Hoffmann designed Plover Wharf with Jonas Albrecht.\n",
    "hoffmann.md": "# Clara Hoffmann\n\nClara Hoffmann was born in Rostock, as Jonas Albrecht was.\n",
}
FOUND = [(True, False), (True, True)]
"""Expansions of what a question found: with chunks, without a filter and with one."""


class Asked:
    """First questions about the documents of one tenant, and the queries that they ran."""

    def __init__(self, world: World, usual: str, patch: pytest.MonkeyPatch) -> None:
        self.settings = world.platform.settings.model_copy(update={"tenant": usual})
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self._patch = patch

    def ask(self) -> None:
        with closing(Platform.open(self.settings)) as platform:
            run = platform.graph.run

            def recorded(query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
                self.ran.append((query.name, params))
                return run(query, timeout=timeout, **params)

            self._patch.setattr(platform.graph, "run", recorded)
            platform.warm_queries()

    def expanded(self, *, found: bool) -> list[tuple[bool, bool]]:
        """Return of each expansion of entities, those of a question or one that is not there, whether it had chunks, too, and whether it had a filter."""
        runs = [params for name, params in self.ran if name == "expansion/expand_entities" and params["seeds"]]
        chosen = [params for params in runs if (params["seeds"] != ["no entity"]) is found]
        return [(bool(params["chunks"]), params["filter"] is not None) for params in chosen]


@pytest.mark.parametrize("documents_of", ["the usual tenant", "another tenant"])
def test_they_find_something_with_and_without_a_filter(
    world: World, tenant: str, documents_of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan for an empty list serves no other."""
    world.ingest(tenant, DOCUMENTS)
    monkeypatch.setattr(Tenants, "list", lambda _: [tenant])  # other tests have some, too
    asked = Asked(world, tenant if documents_of == "the usual tenant" else "empty", monkeypatch)
    asked.ask()
    assert asked.expanded(found=True) == FOUND
    assert all(params["ids"] for name, params in asked.ran if name == "chunks/hydrate_chunks")


def test_then_a_language_models_library_is_loaded(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world.ingest(tenant, DOCUMENTS)
    monkeypatch.setattr(Tenants, "list", lambda _: [tenant])
    loaded: list[str] = []
    monkeypatch.setattr(AnswerService, "warm", lambda _: loaded.append("answers"))
    Asked(world, tenant, monkeypatch).ask()
    assert loaded == ["answers"]


def test_they_are_asked_again_when_there_are_documents(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            world.ingest(tenant, DOCUMENTS)

    monkeypatch.setattr("interlace.composition.queries.time", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(Tenants, "list", lambda _: [tenant] if len(waited) >= 3 else [])
    asked = Asked(world, tenant, monkeypatch)
    asked.ask()
    # Without chunks the graph leg starts where the vector index does not answer.
    assert asked.expanded(found=False) == 2 * [(False, False), (True, False), (False, True), (True, True)]
    assert waited == [30.0, 30.0, 30.0]
    assert asked.expanded(found=True) == FOUND
