"""Outputs of a model that invents, or does what documents say: what the texts do not hold reaches no graph."""

import pytest
from tests.integration.enriching_world import EnrichingWorld, with_model
from tests.integration.ingestion_world import World
from tests.support.extraction_answers import Output, hostile_output, reading

from interlace.settings import Settings

INVENTED = ("Evil", "Robert", "script", "Admin", "passwd", "system", "Name99")


@pytest.mark.slow
def test_of_two_hundred_hostile_outputs_nothing_ungrounded_reaches_the_graph(
    stack: Settings, world: World, tenant: str
) -> None:
    outputs = dict(hostile_output(number) for number in range(200))
    texts = list(outputs)
    documents = {
        f"{first}.md": "# Names\n\n" + "\n\n".join(f"## Part {first}\n\n{text}" for text in texts[first : first + 40])
        for first in range(0, len(texts), 40)
    }

    def obeying(text: str) -> Output:
        # A type outside the schema would have the whole output refused before any of it is looked at.
        entities = [{**each, "type": "Person"} for each in outputs[text]["entities"]]
        return {"entities": entities, "facts": outputs[text]["facts"]}

    provider, reader = reading(obeying)
    with provider:
        enriching = EnrichingWorld(with_model(stack, provider, concurrency=4), world)
        try:
            enriching.ingest_and_enrich(tenant, documents)
        finally:
            enriching.close()
    assert reader.texts.total() == len(texts)
    mentions = "MATCH (c:Chunk {tenant: $tenant})-[m:MENTIONS {via: 'llm'}]->(e) RETURN c.text AS text, e.name AS name"
    found = world.rows(mentions, tenant)
    assert len(found) > len(texts)
    assert all(row["name"].casefold() in row["text"].casefold() for row in found)
    facts = (
        "MATCH (c:Chunk {tenant: $tenant})-[:ASSERTS]->(f) WHERE f.extractor STARTS WITH 'llm:' "
        "RETURN c.text AS text, [f.sentence, f.subjectText, f.objectText] AS said"
    )
    stated = world.rows(facts, tenant)
    assert stated
    assert all(part in row["text"] for row in stated for part in row["said"])
    names = " ".join(
        row["name"] for row in world.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.name AS name", tenant)
    )
    assert not [each for each in INVENTED if each in names]
    assert world.platform.reconciler.check(tenant) == []
