"""The vector index is made again from the graph: after a loss, for a model that joins late, while documents come and go, after a crash."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World

from interlace.cypher_files import cypher_root
from interlace.domain.errors import ConflictError, InvalidInputError
from interlace.domain.hits import QueryRequest, QueryResponse
from interlace.ports.vectors import Point, windows_of
from interlace.settings import FurtherModel, Settings
from interlace.vectors import rebuild, rebuild_run

pytestmark = pytest.mark.vectors

FIRST = "bge-small-en-v1.5"
SECOND = "second"
QUESTIONS = ("Whom did the director of The Grey Ferry marry?", "Who painted in Viborg?", "rye flour and salt")
DOCUMENTS = {
    "ferry.md": "---\ntags: [boats]\n---\n# The Grey Ferry\n\nThe Grey Ferry is a silent film. It was directed by Orla Venning.\n",
    "venning.md": "# Orla Venning\n\nOrla Venning was a Danish director. She was born in Aalborg and married Knud Strand.\n",
    "strand.md": "# Knud Strand\n\nKnud Strand was a painter. He died in Viborg after a long illness.\n",
    "bread.md": "# Rye bread\n\nMix flour, water and salt. Wait a night, then bake for an hour.\n",
}

QUOTED = """
MATCH (c:Community {tenant: $tenant})-[:CITES]->(source)
OPTIONAL MATCH (source)<-[:ASSERTS]-(chunk:Chunk)
RETURN c.id AS id, collect(DISTINCT coalesce(chunk.id, source.id)) AS chunks
"""


@pytest.fixture(scope="module")
def second_folder(stack: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first model's files, but another model: under another name and pooled otherwise it gives other vectors."""
    assert stack.embedding.folder
    target = tmp_path_factory.mktemp("models") / SECOND
    shutil.copytree(stack.embedding.folder, target)
    return target


def world_with(stack: Settings, **changes: Any) -> World:
    embedding = stack.embedding.model_copy(update=changes)
    return World(waiting_for_legs(stack).model_copy(update={"embedding": embedding}))


@pytest.fixture(scope="module")
def one(stack: Settings) -> Iterator[World]:
    """A platform with the first model."""
    made = world_with(stack)
    yield made
    made.close()


@pytest.fixture(scope="module")
def off(stack: Settings, one: World) -> Iterator[World]:
    """A platform without embeddings."""
    made = world_with(stack, enabled=False)
    vars(made.platform)["extractor"] = one.platform.extractor
    yield made
    made.close()


@pytest.fixture(scope="module")
def two(stack: Settings, one: World, second_folder: Path) -> Iterator[World]:
    """A platform with both models."""
    made = world_with(stack, models={SECOND: FurtherModel(folder=second_folder, pooling="mean")})
    vars(made.platform).update(extractor=one.platform.extractor, embedder=one.platform.embedder)
    yield made
    made.close()


@pytest.fixture
def tenant(one: World) -> Iterator[str]:
    with one.tenant() as name:
        yield name
        one.platform.vectors.drop(name, "communities")


def ask(world: World, tenant: str, text: str, **choices: Any) -> QueryResponse:
    return world.platform.questions.search(tenant, QueryRequest(text, **choices))


def answers(world: World, tenant: str, **choices: Any) -> list[tuple[str, float, tuple[Any, ...]]]:
    """Return what questions are answered, scores included."""
    asked = [ask(world, tenant, question, **choices) for question in QUESTIONS]
    assert not any(answer.degraded for answer in asked)
    return [(hit.chunk_id, hit.score, hit.legs) for answer in asked for hit in answer.hits]


def models_of(world: World, tenant: str) -> dict[str, tuple[bool, bool]]:
    return {one.name: (one.complete, one.used) for one in world.platform.vector_rebuild.models.states(tenant)}


def test_a_lost_index_is_made_again_and_answers_as_before(one: World, tenant: str) -> None:
    one.ingest(tenant, DOCUMENTS)
    one.platform.communities.refresh(tenant)
    points, before = one.points(tenant), answers(one, tenant)
    communities = one.points(tenant, "communities")
    for kind in ("chunks", "communities"):
        one.platform.vectors.drop(tenant, kind)
    reported: list[tuple[int, int]] = []
    report = one.platform.vector_rebuild.rebuild(tenant, lambda done, total: reported.append((done, total)))
    assert (report.complete, report.models, report.removed) == (True, (FIRST,), 0)
    assert report.points == report.embedded == len(points)
    assert reported[-1] == (len(points), len(points))
    assert one.points(tenant) == points
    assert one.points(tenant, "communities") == communities
    assert answers(one, tenant) == before


def test_the_vector_of_a_community_is_the_mean_of_those_of_the_chunks_it_quotes(one: World, tenant: str) -> None:
    one.ingest(tenant, DOCUMENTS)
    one.platform.communities.refresh(tenant)
    chunks = {point: dense[FIRST] for point, (dense, _, _) in one.points(tenant).items()}
    quoted = one.rows(QUOTED, tenant)
    points = one.points(tenant, "communities")
    assert quoted
    for row in quoted:
        mean = np.mean([chunks[chunk] for chunk in row["chunks"]], axis=0)
        assert points[row["id"]][0][FIRST] == pytest.approx((mean / np.linalg.norm(mean)).tolist(), abs=1e-6)


def test_a_community_whose_chunks_lack_vectors_gets_its_own_when_they_have_them(one: World, tenant: str) -> None:
    one.ingest(tenant, DOCUMENTS)
    one.platform.communities.refresh(tenant)
    points = one.points(tenant, "communities")
    one.platform.vectors.drop(tenant, "chunks")
    one.platform.vectors.drop(tenant, "communities")
    one.platform.communities.refresh(tenant)
    assert not any(dense for dense, _, _ in one.points(tenant, "communities").values())
    one.platform.vector_rebuild.rebuild(tenant)
    one.platform.communities.refresh(tenant)
    assert one.points(tenant, "communities") == points


def test_points_without_a_chunk_go_and_damaged_ones_are_mended(one: World, tenant: str) -> None:
    one.ingest(tenant, DOCUMENTS)
    points = one.points(tenant)
    found = list(one.platform.vectors.scroll(tenant, "chunks", vectors=True))
    orphan = "00000000-0000-5000-8000-000000000000"
    wrong = Point(found[0].id, {FIRST: np.ones(384, np.float32)}, {}, {"source": "elsewhere"})
    one.platform.vectors.upsert(tenant, "chunks", [Point(orphan, found[0].dense), wrong])
    assert one.platform.vector_rebuild.rebuild(tenant).removed == 1
    assert one.points(tenant) == points


def test_everything_but_dense_search_works_without_embeddings(off: World, tenant: str) -> None:
    off.ingest(tenant, DOCUMENTS)
    off.platform.communities.refresh(tenant)
    answer = ask(off, tenant, QUESTIONS[0])
    assert "Orla Venning" in [hit.title for hit in answer.hits][:2]
    assert not answer.degraded
    assert {"graph", "keyword"} <= set(answer.retrieval_path)
    assert ask(off, tenant, "#boats", mode="metadata_only").hits[0].title == "The Grey Ferry"
    assert ask(off, tenant, "rye flour", mode="keyword_only").hits[0].title == "Rye bread"
    assert all(not dense for dense, _, _ in off.points(tenant).values())
    for request in ({"mode": "vector_only"}, {"model": FIRST}):
        with pytest.raises(InvalidInputError, match="embeddings are off"):
            ask(off, tenant, "rye", **request)
    with pytest.raises(InvalidInputError, match="embeddings are off"):
        off.platform.vector_rebuild.rebuild_model(tenant, FIRST)
    assert models_of(off, tenant) == {}


def test_embeddings_turned_on_later_are_made_in_the_background_without_extracting_again(
    off: World, one: World, tenant: str
) -> None:
    off.ingest(tenant, DOCUMENTS)
    off.platform.communities.refresh(tenant)
    assert not {"vector"} & set(ask(one, tenant, QUESTIONS[0]).retrieval_path)
    with pytest.raises(InvalidInputError, match=r"lacks vectors of some chunks.*choose: none"):
        ask(one, tenant, QUESTIONS[0], model=FIRST)
    receipt = one.receive(tenant, [])
    assert receipt.unchanged == 0
    one.ingest(tenant, DOCUMENTS)
    assert models_of(one, tenant) == {FIRST: (False, True)}
    one.swept(tenant)
    assert one.tasks.rebuilds.count(tenant) == 1
    one.swept(tenant)
    assert one.tasks.rebuilds.count(tenant) == 1, "it is not asked for again within the minute"
    report = one.platform.vector_rebuild.add_missing(tenant, timeout=60)
    assert (report.complete, report.models, report.embedded) == (True, (FIRST,), report.points)
    assert one.platform.vector_rebuild.add_missing(tenant, timeout=60).models == ()
    filled, found = one.points(tenant), answers(one, tenant)
    assert "vector" in ask(one, tenant, QUESTIONS[0]).retrieval_path
    with one.tenant():
        one.delete(tenant)
        one.ingest(tenant, DOCUMENTS)
    one.platform.communities.refresh(tenant, fresh=True)
    assert one.points(tenant) == filled
    assert [(chunk, score) for chunk, score, _ in answers(one, tenant)] == [(chunk, score) for chunk, score, _ in found]


def test_turning_embeddings_on_or_off_leaves_documents_unchanged(off: World, one: World, two: World) -> None:
    assert off.platform.fingerprint == one.platform.fingerprint == two.platform.fingerprint


def test_a_second_model_is_built_beside_the_first_and_chosen_by_question(one: World, two: World, tenant: str) -> None:
    one.ingest(tenant, DOCUMENTS)
    one.platform.communities.refresh(tenant)
    first = answers(one, tenant)
    vectors = one.points(tenant)
    assert answers(two, tenant) == first, "the model that is not complete is not asked"
    with pytest.raises(InvalidInputError, match=f"{SECOND}.*lacks vectors.*choose: {FIRST}"):
        ask(two, tenant, "rye", model=SECOND)
    with pytest.raises(InvalidInputError, match=f"no embedding model 'third' here.*{FIRST}"):
        ask(two, tenant, "rye", model="third")
    served: list[Any] = []
    report = two.platform.vector_rebuild.rebuild_model(tenant, SECOND, lambda *_: served.append(answers(one, tenant)))
    assert served == [first]
    assert (report.complete, report.models) == (True, (SECOND,))
    assert models_of(two, tenant) == {FIRST: (True, False), SECOND: (True, True)}
    assert {point: dense[FIRST] for point, (dense, _, _) in two.points(tenant).items()} == {
        point: dense[FIRST] for point, (dense, _, _) in vectors.items()
    }
    assert answers(two, tenant, model=FIRST) == first
    second = answers(two, tenant)
    assert answers(two, tenant, model=SECOND) == second
    assert [score for _, score, _ in second] != [score for _, score, _ in first]
    assert answers(one, tenant) == first, "a process without the model in use takes one that it has"
    two.platform.vector_rebuild.models.use(tenant, FIRST)
    assert answers(two, tenant) == first


def test_a_worker_without_the_second_model_makes_it_incomplete(one: World, two: World, tenant: str) -> None:
    two.ingest(tenant, DOCUMENTS)
    assert models_of(two, tenant) == {FIRST: (True, True), SECOND: (True, False)}
    two.ingest(tenant, {"more.md": "# More\n\nBoth models see this.\n"})
    assert models_of(two, tenant)[SECOND] == (True, False)
    one.ingest(tenant, {"late.md": "# Late\n\nOnly the first model sees this.\n"})
    assert models_of(two, tenant)[SECOND] == (False, False)
    report = two.platform.vector_rebuild.add_missing(tenant, timeout=60)
    assert (report.models, report.embedded) == ((SECOND,), 1)
    names = {FIRST, SECOND, windows_of(FIRST), windows_of(SECOND)}
    assert all(set(dense) == names for dense, _, _ in two.points(tenant).values())


def test_chunks_from_before_windows_had_vectors_get_them(one: World, tenant: str) -> None:
    one.ingest(tenant, {**DOCUMENTS, "mill.md": "# Mill\n\n" + "The miller of Viborg sold rye flour. " * 12})
    points, before = one.points(tenant), answers(one, tenant)
    assert max(len(dense[windows_of(FIRST)]) for dense, _, _ in points.values()) > 1
    vectors = one.platform.vectors
    old = list(vectors.scroll(tenant, "chunks", vectors=True))
    vectors.drop(tenant, "chunks")
    vectors.ensure(tenant, "chunks", {FIRST: 384})
    vectors.upsert(tenant, "chunks", [replace(point, dense={FIRST: point.dense[FIRST]}) for point in old])
    migration = (cypher_root() / "migrations" / "V0021__Vectors_of_windows.cypher").read_text(encoding="utf-8")
    one.run(migration.replace("(t:Tenant)", "(t:Tenant {tenant: $tenant})"), tenant)
    assert models_of(one, tenant) == {FIRST: (False, True)}
    report = one.platform.vector_rebuild.add_missing(tenant, timeout=60)
    assert (report.complete, report.embedded) == (True, len(points))
    assert one.points(tenant) == points
    assert answers(one, tenant) == before


class Interrupting:
    """An embedder that does something else before it embeds, once."""

    def __init__(self, inner: Any, deed: Callable[[], None]) -> None:
        self._inner, self._deed = inner, deed
        self.model, self.dimensions = inner.model, inner.dimensions
        self.seen = 0

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += len(texts)
        deed, self._deed = self._deed, lambda: None
        deed()
        vectors: NDArray[np.float32] = self._inner.embed_texts(texts)
        return vectors


def rebuilding(world: World, deed: Callable[[], None]) -> tuple[rebuild.VectorRebuild, Interrupting]:
    """Return a rebuild in the midst of whose first page something happens."""
    platform = world.platform
    name = list(platform.embedders)[-1]
    embedder = Interrupting(platform.embedders[name], deed)
    embedders: Any = {**platform.embedders, name: embedder}
    return rebuild.VectorRebuild(platform.graph, platform.vectors, platform.outbox.reconcile, embedders, {}), embedder


@pytest.mark.parametrize("whole", [True, False])
def test_documents_that_come_and_go_meanwhile_are_right_in_the_end(
    one: World, two: World, tenant: str, whole: bool
) -> None:
    one.ingest(tenant, DOCUMENTS)

    def meanwhile() -> None:
        one.delete(tenant, "bread.md")
        one.ingest(tenant, {"strand.md": DOCUMENTS["strand.md"].replace("---\n", "") + "\nHe also sang.\n"})
        one.ingest(tenant, {"ferry.md": DOCUMENTS["ferry.md"].replace("[boats]", "[films]")})
        one.ingest(tenant, {"new.md": "# New\n\nThis came while vectors were made.\n"})

    service, _ = rebuilding(two, meanwhile)
    report = service.rebuild(tenant) if whole else service.rebuild_model(tenant, SECOND)
    assert report.complete
    found = two.points(tenant)
    two.delete(tenant)
    two.ingest(
        tenant,
        {
            "ferry.md": DOCUMENTS["ferry.md"].replace("[boats]", "[films]"),
            "venning.md": DOCUMENTS["venning.md"],
            "strand.md": DOCUMENTS["strand.md"] + "\nHe also sang.\n",
            "new.md": "# New\n\nThis came while vectors were made.\n",
        },
    )
    assert found == two.points(tenant)


def test_a_crash_leaves_the_old_one_and_the_next_run_goes_on(
    one: World, two: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild_run, "PAGE", 1)
    one.ingest(tenant, DOCUMENTS)
    first = answers(one, tenant)

    class Killed(BaseException):
        pass

    def die(done: int, _total: int) -> None:
        if done == 2:
            raise Killed

    with pytest.raises(Killed):
        two.platform.vector_rebuild.rebuild_model(tenant, SECOND, die)
    assert models_of(two, tenant) == {FIRST: (True, True), SECOND: (False, False)}
    assert answers(two, tenant) == first
    service, embedder = rebuilding(two, lambda: None)
    assert service.rebuild_model(tenant, SECOND).complete
    assert embedder.seen == len(DOCUMENTS) - 2
    assert models_of(two, tenant)[SECOND] == (True, True)


def test_one_rebuild_at_a_time_and_a_dead_one_gives_way(one: World, tenant: str) -> None:
    one.ingest(tenant, DOCUMENTS)
    seen: list[str] = []

    def refused() -> None:
        with pytest.raises(ConflictError, match="being rebuilt") as caught:
            one.platform.vector_rebuild.rebuild(tenant)
        seen.append(caught.value.message)

    service, _ = rebuilding(one, refused)
    assert service.rebuild(tenant).complete
    assert len(seen) == 1
    text = "MERGE (l:Lease {tenant: $tenant, name: 'vectors'}) SET l.owner = 'dead', l.expiresAt = timestamp() - 1"
    one.run(text, tenant)
    assert one.platform.vector_rebuild.rebuild(tenant).complete


def test_a_task_stops_in_time_and_the_next_finishes(
    one: World, two: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild_run, "PAGE", 1)
    one.ingest(tenant, DOCUMENTS)
    assert not two.platform.vector_rebuild.add_missing(tenant, timeout=0).complete
    assert models_of(two, tenant)[SECOND] == (False, False)
    assert two.platform.vector_rebuild.add_missing(tenant, timeout=60).complete


def test_a_tenant_without_documents_has_nothing_to_build(one: World, tenant: str) -> None:
    report = one.platform.vector_rebuild.rebuild(tenant)
    assert (report.complete, report.points) == (True, 0)
