"""Under a strict schema a language model's types take the place of those that spaCy recognised, exactly as long as it says so."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.enriching_world import EnrichingWorld, with_model
from tests.integration.ingestion_world import World
from tests.support.extraction_answers import Reader, reading
from tests.support.recorded_provider import RecordedProvider

from interlace.settings import Settings

SCHEMA = "strict: true\nentities: {Director: who directs films, Town: towns}\nrelations: {}\n"
FILM = "# The Grey Ferry\n\nThe Grey Ferry was directed by Orla Venning. Knud Strand painted it in Aalborg.\n"
WEDDING = "# A wedding\n\nOrla Venning married Knud Strand.\n"
LETTER = "# A letter\n\nOrla Venning wrote to Knud Strand from Vienna.\n"
DOCUMENTS = {"film.md": FILM, "wedding.md": WEDDING, "letter.md": LETTER}
GUESSED = {"Orla Venning": "Person", "Knud Strand": "Person"}
TYPED = {"Orla Venning": "Director", "Knud Strand": "Other"}


def directors(text: str) -> dict[str, Any]:
    """Name people where a film is made, and no one elsewhere."""
    found = [("Orla Venning", "Director"), ("Aalborg", "Town"), ("Knud Strand", "Other")]
    named = found if "directed" in text else []
    return {"entities": [{"name": name, "type": kind} for name, kind in named], "facts": []}


Provider = tuple[RecordedProvider, Reader]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    server, reader = reading(directors)
    with server:
        yield server, reader


@pytest.fixture(scope="module")
def strict(
    stack: Settings, world: World, provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EnrichingWorld]:
    schema = tmp_path_factory.mktemp("schema") / "schema.yaml"
    schema.write_text(SCHEMA, encoding="utf-8")
    made = EnrichingWorld(with_model(stack, provider[0], extraction_schema=schema), world)
    yield made
    made.close()


@pytest.fixture
def tenant(strict: EnrichingWorld) -> Iterator[str]:
    with strict.tenant() as name:
        yield name


def types(strict: EnrichingWorld, tenant: str) -> dict[str, str]:
    """Return the types of the two people; their labels say the same."""
    query = "MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name, e.type AS type, labels(e) AS labels"
    rows = [row for row in strict.rows(query, tenant) if row["name"] in TYPED]
    assert all(set(row["labels"]) - {"Entity"} == {row["type"]} for row in rows)
    return {row["name"]: row["type"] for row in rows}


def test_its_types_count_alone_and_go_with_what_it_read(strict: EnrichingWorld, tenant: str) -> None:
    strict.ingest(tenant, DOCUMENTS)
    assert types(strict, tenant) == GUESSED
    strict.enrich_all(tenant)
    assert types(strict, tenant) == TYPED, "though spaCy says otherwise three times"
    assert strict.platform.reconciler.check(tenant) == []
    strict.ingest_and_enrich(tenant, {"film.md": FILM.replace("directed", "praised")})
    assert types(strict, tenant) == GUESSED
    strict.ingest_and_enrich(tenant, {"film.md": FILM})
    assert types(strict, tenant) == TYPED
    strict.delete(tenant, "film.md")
    assert types(strict, tenant) == GUESSED
    after = strict.state(tenant)
    strict.clear(tenant)
    strict.ingest_and_enrich(tenant, {uri: text for uri, text in DOCUMENTS.items() if uri != "film.md"})
    assert strict.state(tenant) == after


def test_neither_order_nor_repetition_nor_a_restore_changes_them(
    strict: EnrichingWorld, tenant: str, tmp_path: Path
) -> None:
    strict.ingest(tenant, DOCUMENTS)
    strict.enrich_all(tenant)
    expected = strict.state(tenant)
    for order in itertools.islice(itertools.permutations(DOCUMENTS), 1, 6, 3):
        strict.clear(tenant)
        for uri in order:
            strict.ingest_and_enrich(tenant, {uri: DOCUMENTS[uri]})
            strict.ingest_and_enrich(tenant, {uri: DOCUMENTS[uri]})
        assert strict.state(tenant) == expected, order
    strict.read_again(tenant, DOCUMENTS)
    assert strict.state(tenant) == expected
    dumped = strict.dump(tenant)
    strict.bring_back(tenant, tmp_path / "backup.jsonl.gz")
    assert strict.dump(tenant) == dumped
    assert types(strict, tenant) == TYPED


def test_a_graph_of_an_older_version_is_brought_up_to_date_without_a_token(
    strict: EnrichingWorld, provider: Provider, tenant: str
) -> None:
    """Before, types under a strict schema counted like any others."""
    strict.ingest_and_enrich(tenant, DOCUMENTS)
    expected, calls = strict.state(tenant), provider[0].calls
    older = "SET {0}.evidence = [line IN {0}.evidence | replace(line, 'strict\t', 'llm\t')]"
    strict.run(f"MATCH (:Chunk {{tenant: $tenant}})-[m:MENTIONS {{via: 'llm'}}]->() {older.format('m')}", tenant)
    strict.run(f"MATCH (e:Entity {{tenant: $tenant}}) {older.format('e')}", tenant)
    strict.run("MATCH (:Chunk {tenant: $tenant})-[x:EXTRACTED_AS]->() REMOVE x.manner", tenant)
    assert strict.platform.enrichment.enrich(tenant).chunks == len(DOCUMENTS)
    strict.enrich_all(tenant)
    assert strict.state(tenant) == expected
    assert provider[0].calls == calls
    assert strict.platform.enrichment.enrich(tenant).chunks == 0
