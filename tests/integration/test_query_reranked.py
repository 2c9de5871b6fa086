"""A cross-encoder behind the real legs: it reads the way of the graph, is explained and left out, and is absent by default."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.conftest import waiting_for_legs
from tests.contract.fakes_rerankers import WordReranker, write_cross_encoder
from tests.integration.ingestion_world import World

from interlace.bootstrap import Platform
from interlace.domain.errors import UnavailableError
from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.ports.models import Reranker
from interlace.search.browser_links import browser_link
from interlace.search.cross_encoder import CrossEncoder
from interlace.search.questions import QuestionSearch
from interlace.search.searches import Searches
from interlace.settings import RerankerSettings

QUESTION = "Whom did the director of The Grey Ferry marry?"
DOCUMENTS = {
    "ferry.md": "# The Grey Ferry\n\nThe Grey Ferry is a silent film of 1911. It was directed by Orla Venning.\n",
    "venning.md": "# Orla Venning\n\nOrla Venning was a Danish director. She was born in Aalborg and married Knud Strand.\n",
    "strand.md": "# Knud Strand\n\nKnud Strand was a painter. He died in Viborg after a long illness.\n",
    "bread.md": "# Rye bread\n\nMix flour, water and salt. Wait a night, then bake for an hour.\n",
}


class Broken:
    def score(self, question: str, chunks: Sequence[str]) -> list[float]:
        raise UnavailableError(f"No one reads {len(chunks)} chunks for {question!r}.")


class Fixed:
    """Prefers chunks in the order of some titles."""

    def __init__(self, *titles: str) -> None:
        self.titles = titles
        self.read: Sequence[str] = ()

    def score(self, question: str, chunks: Sequence[str]) -> list[float]:
        assert question == QUESTION
        self.read = chunks
        return [-float(self.titles.index(chunk.splitlines()[0])) for chunk in chunks]


@contextmanager
def questions(world: World, reranker: Reranker | None) -> Iterator[QuestionSearch]:
    platform = world.platform
    made = Searches(
        platform.graph,
        platform.vectors,
        platform.embedders,
        platform.entity_linkers,
        waiting_for_legs(platform.settings).query,
        CrossEncoder(lambda: reranker, timeout=60) if reranker else None,
        link=partial(browser_link, platform.settings.neo4j),
    )
    yield made.questions
    made.close()


def written(answer: QueryResponse, *but: str) -> bytes:
    """Return an answer as bytes, less what differs from run to run."""
    shown: dict[str, Any] = asdict(answer)
    for name in ("timings", *but):
        del shown[name]
    return orjson.dumps(shown)


def titles(answer: QueryResponse) -> list[str]:
    return [hit.title for hit in answer.hits]


@pytest.mark.parametrize("explain", [False, True])
def test_without_a_cross_encoder_an_answer_is_the_same_to_the_byte(world: World, tenant: str, explain: bool) -> None:
    world.ingest(tenant, DOCUMENTS)
    asked = QueryRequest(QUESTION, explain=explain)
    with questions(world, None) as plain, questions(world, Broken()) as broken:
        default, degraded = plain.search(tenant, asked), broken.search(tenant, asked)
    assert written(default) == written(world.platform.questions.search(tenant, asked))
    assert b"cross_encoder" not in written(default)
    assert "cross_encoder" not in default.timings
    assert degraded.degraded == ("cross_encoder",)
    assert written(degraded, "degraded") == written(default, "degraded")


def test_it_orders_first_hits_reads_the_way_and_is_explained(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    reranker = Fixed("Knud Strand", "Rye bread", "Orla Venning", "The Grey Ferry")
    asked = QueryRequest(QUESTION, explain=True)
    with questions(world, None) as plain, questions(world, reranker) as reranked:
        before, after = plain.search(tenant, asked), reranked.search(tenant, asked)
        less = reranked.search(tenant, QueryRequest(QUESTION, explain=True, without=frozenset({"cross_encoder"})))
        brief = reranked.search(tenant, QueryRequest(QUESTION, limit=2))
    assert titles(after) == [title for title in reranker.titles if title in titles(before)] != titles(before)
    assert titles(brief) == titles(after)[:2], "it reads more hits than are wanted"
    assert brief.hits[0].figures == {}
    assert (after.degraded, "cross_encoder" in after.timings) == ((), True)
    venning = next(hit for hit in after.hits if hit.title == "Orla Venning")
    bridges = [step for step in venning.path if step.chunk_id != venning.chunk_id]
    assert bridges, "another chunk leads there"
    (read,) = (text for text in reranker.read if text.startswith("Orla Venning\n"))
    assert all(step.entity_name in read.splitlines()[1] for step in venning.path)
    assert all(f"{step.document_title}: {step.sentence}" in read for step in bridges)
    assert read.endswith(f"\n{venning.text}")
    for hit in after.hits:
        assert hit.figures["cross_encoder"] == -reranker.titles.index(hit.title)
        assert titles(before)[int(hit.figures["fused_rank"]) - 1] == hit.title
    assert [ranked.chunk_id for ranked in after.rankings["fused"]] == [hit.chunk_id for hit in after.hits]
    assert [hit.score for hit in after.hits] == pytest.approx([hit.score for hit in before.hits])
    assert written(less, "retrieval_reason") == written(before, "retrieval_reason")


def test_metadata_alone_asks_no_one(world: World, tenant: str) -> None:
    world.ingest(tenant, DOCUMENTS)
    reader = WordReranker()
    with questions(world, reader) as reranked:
        answer = reranked.search(tenant, QueryRequest("Knud Strand", mode="metadata_only"))
    assert titles(answer) == ["Knud Strand"]
    assert reader.read == []


def test_a_folder_that_the_settings_name_is_used(world: World, tenant: str, tmp_path: Path) -> None:
    world.ingest(tenant, DOCUMENTS)
    write_cross_encoder(tmp_path, ["knud", "strand"])
    chosen = RerankerSettings(folder=tmp_path, timeout=60)
    platform = Platform(world.platform.settings.model_copy(update={"reranker": chosen}))
    asked = QueryRequest("How is rye bread baked of flour and water, Knud Strand?", explain=True)
    try:
        answer = platform.questions.search(tenant, asked)
    finally:
        platform.close()
    assert not answer.degraded
    assert titles(answer)[0] == "Knud Strand"
    assert answer.hits[0].figures["cross_encoder"] >= 2
    assert titles(world.platform.questions.search(tenant, asked))[0] == "Rye bread"
