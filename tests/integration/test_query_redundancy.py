"""A chunk that only mentions an entity whose own document comes first gives way to the chunk that the document leads to."""

from tests.integration.ingestion_world import World

from interlace.domain.hits import Hit, QueryRequest

QUESTION = "Where was the designer of Plover Station born?"
DOCUMENTS = {
    "station.md": "# Plover Station\n\nPlover Station lies on the coast. Clara Hoffmann designed Plover Station with Jonas Albrecht.\n",
    "hoffmann.md": "# Clara Hoffmann\n\nClara Hoffmann was born in Rostock and studied in Dresden.\n",
    "albrecht.md": "# Jonas Albrecht\n\nJonas Albrecht drew Plover Station and other stations.\n",
    "diary.md": "# Notes of a journey\n\nWe saw Plover Station from the ferry, where a gull was born.\n",
    **{
        f"filler{number}.md": f"# Barrel {number}\n\nOver winter barrel {number} stands in the shed.\n"
        for number in range(20)
    },
}


def ask(world: World, tenant: str, *without: str) -> dict[str, Hit]:
    answer = world.platform.questions.search(tenant, QueryRequest(QUESTION, without=frozenset(without)))  # type: ignore[arg-type]
    assert not answer.degraded
    return {hit.source_uri: hit for hit in answer.hits}


def test_a_chunk_that_only_mentions_the_first_documents_entity_gives_way(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    hits, before = ask(world, tenant), ask(world, tenant, "redundancy")
    assert next(iter(hits)) == next(iter(before)) == "station.md"
    assert {uri: hit.boosts["redundancy"] for uri, hit in hits.items() if "redundancy" in hit.boosts} == {
        "diary.md": -1.5
    }
    assert not any("redundancy" in hit.boosts for hit in before.values())
    assert hits["diary.md"].score < before["diary.md"].score
    assert list(hits)[1:4] == ["albrecht.md", "hoffmann.md", "diary.md"]
    assert list(before).index("diary.md") < list(before).index("hoffmann.md")
