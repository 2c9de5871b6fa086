"""The queue of candidates finds what one name is written as elsewhere, on texts with variants that rules and a seed wrote into them."""

import json
from itertools import islice
from pathlib import Path

import pytest
from tests.eval.candidate_recall import labelled, measure
from tests.integration.ingestion_world import World

from interlace.settings import EmbeddingSettings, Settings

pytestmark = [pytest.mark.evaluation]

DOCUMENTS = 200
TENANT = "variants"


def test_the_first_candidates_hold_nine_of_ten_variants(stack: Settings, eval_root: Path) -> None:
    with (eval_root / "hotpotqa" / "corpus.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, DOCUMENTS)]
    texts = {row["_id"]: (row["title"], row["text"]) for row in rows}
    world = World(stack.model_copy(update={"embedding": EmbeddingSettings(enabled=False)}))
    try:
        sources, made = labelled(world, texts, seed=1, max_variants=DOCUMENTS)
        # Of the others only those that a variant's name is in, for time.
        kept = {each.document for each in made}
        named = {name for name, (_, text) in texts.items() if any(each.name in text for each in made)}
        world.receive(TENANT, [each for each in sources if each.uri.removesuffix(".json") in kept | named])
        world.work()
        found = measure(world, TENANT, made)
    finally:
        world.clear(TENANT)
        world.close()
    assert found.apart.total() >= 15
    assert found.by_variant.total() >= 0.9 * found.apart.total(), found.missed
    assert found.by_name.total() >= 0.9 * found.apart.total()
