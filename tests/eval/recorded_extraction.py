"""Retrieval with the graph that spaCy makes, that a recorded language model makes, and that both make together, on one collection."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tests.eval.shared_corpus import chunks_of
from tests.integration.enriching_world import EnrichingWorld, with_model
from tests.integration.ingestion_world import World
from tests.support.extraction_answers import reading, recorded_outputs

from interlace.cli.evaluate import evaluation_session
from interlace.domain.documents import Chunk, Source
from interlace.domain.extraction import Extraction
from interlace.evaluation.collection import Collection
from interlace.evaluation.session import RunOptions
from interlace.settings import Settings

MEASURES = ("recall@2", "recall@5", "all-gold@5")
Values = Mapping[str, Sequence[float]]
"""The values (0 to 1) of each measure, one a question in the order of their ids."""


class NoSyntax:
    """An extractor that finds nothing, so that the language model's evidence stands alone."""

    fingerprint = "none"

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        return [Extraction((), ()) for _ in chunks]


def sample(collection: Collection, size: int) -> list[Source]:
    """Return every relevant document of a collection, and others in the order of the corpus up to a size; all for 0."""
    documents = chunks_of(collection)
    relevant = {document for grades in collection.qrels.values() for document in grades}
    gold = [each for each in documents if each.uri.rpartition("#")[2] in relevant]
    others = (each for each in documents if each.uri.rpartition("#")[2] not in relevant)
    return [*gold, *islice(others, (size or len(documents)) - len(gold))]


def measure_graphs(settings: Settings, models: World, collection: Collection, size: int = 0) -> dict[str, Values]:
    """Return what fused retrieval reaches with ``spacy``, ``model`` and ``both``.

    Args:
        settings: of a stack without workers.
        models: a world that has loaded spaCy and the embedder.
        collection: its folder holds ``silver_openie.jsonl``.
        size: documents to take; all for 0.
    """
    documents = sample(collection, size)
    outputs = recorded_outputs(Path(collection.corpus).parent)
    provider, reader = reading(lambda text: _recorded(outputs, text))
    found: dict[str, Values] = {}
    with provider:
        for names in (("spacy", "both"), ("", "model")):
            world = EnrichingWorld(with_model(settings, provider, answers="off"), models)
            try:
                if not names[0]:
                    vars(world.platform)["extractor"] = NoSyntax()
                    world.restart()
                world.receive(collection.tenant, documents)
                world.work()
                if names[0]:
                    found[names[0]] = _measured(world, collection)
                world.enrich_all(collection.tenant)
                found[names[1]] = _measured(world, collection)
            finally:
                world.clear(collection.tenant)
                world.close()
    assert max(reader.texts.values()) <= len(("both", "model")), "a text was paid for twice"
    return found


def _recorded(outputs: Mapping[str, Any], text: str) -> Any:
    """Return what was found in a text; of a part of a document what was found in the whole, of which grounding leaves what stands in the part."""
    if text in outputs:
        return outputs[text]
    part = _letters(text)
    return next((found for whole, found in outputs.items() if part in _letters(whole)), {"entities": [], "facts": []})


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def _measured(world: World, collection: Collection) -> Values:
    world.platform.communities.refresh(collection.tenant, fresh=True)
    rows: list[dict[str, Any]] = (
        evaluation_session(world.platform).run(collection, RunOptions(reuse=True)).by_question()
    )
    fused = [row["legs"]["fused"] for row in sorted(rows, key=lambda row: str(row["question"]))]
    return {measure: [float(leg[measure]) for leg in fused] for measure in MEASURES}


def as_json(found: Mapping[str, Values]) -> str:
    """Return the values of every question, for another comparison later."""
    return json.dumps(found)
