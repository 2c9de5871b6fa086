"""Retrieval with the graph that spaCy makes, that a recorded language model makes, and that both make together, on one collection."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tests.eval.shared_corpus import chunks_of
from tests.integration.enriching_world import EnrichingWorld, with_model
from tests.integration.ingestion_world import World
from tests.support.extraction_answers import reading, recorded_outputs

from interlace.domain.documents import Chunk, Source
from interlace.domain.extraction import Extraction
from interlace.evaluation.collection import Collection, corpus_id
from interlace.evaluation.runner import ask_questions
from interlace.settings import Settings

MEASURES = ("recall@2", "recall@5", "all-gold@5")
Values = Mapping[str, Sequence[float]]
"""The values (0 to 1) of each measure, one a question in the order of their ids."""
Found = Callable[[str, Values], None]
"""Takes the name and the values of each graph as soon as its questions are answered."""
_CALLS = 4


class NoSyntax:
    """An extractor that finds nothing, so that the language model's evidence stands alone."""

    fingerprint = "none"

    def extract(self, chunks: Sequence[Chunk]) -> list[Extraction]:
        return [Extraction((), ()) for _ in chunks]


def sample(collection: Collection, size: int) -> list[Source]:
    """Return every relevant document of a collection, and others in the order of the corpus up to a size; all for 0."""
    documents = chunks_of(collection)
    relevant = collection.relevant
    gold = [each for each in documents if corpus_id(each.uri) in relevant]
    others = (each for each in documents if corpus_id(each.uri) not in relevant)
    return [*gold, *islice(others, (size or len(documents)) - len(gold))]


def measure_graphs(
    settings: Settings, models: World, collection: Collection, size: int = 0, tell: Found = lambda *_: None
) -> dict[str, Values]:
    """Return what fused retrieval reaches with ``spacy``, ``model`` and ``both``.

    Args:
        settings: of a stack without workers.
        models: a world that has loaded spaCy and the embedder.
        collection: its folder holds ``silver_openie.jsonl``.
        size: documents to take; all for 0.
        tell: takes each graph when it is measured, because a whole collection takes long.
    """
    documents = sample(collection, size)
    provider, reader = reading(RecordedOutputs(Path(collection.corpus).parent))
    found: dict[str, Values] = {}

    def measure(name: str, world: EnrichingWorld) -> None:
        found[name] = _measured(world, collection)
        tell(name, found[name])

    with provider:
        for names in (("spacy", "both"), ("", "model")):
            world = EnrichingWorld(with_model(settings, provider, answers="off", concurrency=_CALLS), models)
            try:
                if not names[0]:
                    vars(world.platform)["extractor"] = NoSyntax()
                    world.restart()
                world.receive(collection.tenant, documents)
                world.work()
                if names[0]:
                    measure(names[0], world)
                world.enrich_all(collection.tenant)
                measure(names[1], world)
            finally:
                world.clear(collection.tenant)
                world.close()
    assert max(reader.texts.values()) <= len(("both", "model")), "a text was paid for twice"
    return found


class RecordedOutputs:
    """What was found in each text of a corpus; in a part of a document what was found in the whole, of which grounding leaves what stands in the part.

    Args:
        folder: of the corpus.
    """

    def __init__(self, folder: Path) -> None:
        self._outputs = recorded_outputs(folder)
        self._letters = {_letters(text): output for text, output in self._outputs.items()}

    def __call__(self, text: str) -> Any:
        if text in self._outputs:
            return self._outputs[text]
        part = _letters(text)
        return next((found for whole, found in self._letters.items() if part in whole), {"entities": [], "facts": []})


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def _measured(world: World, collection: Collection) -> Values:
    world.platform.communities.refresh(collection.tenant, fresh=True)
    search = world.platform.questions.search
    result = ask_questions(collection, lambda request: search(collection.tenant, request))
    rows: list[dict[str, Any]] = result.by_question()
    fused = [row["legs"]["fused"] for row in sorted(rows, key=lambda row: str(row["question"]))]
    return {measure: [float(leg[measure]) for leg in fused] for measure in MEASURES}
