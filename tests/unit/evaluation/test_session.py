"""An evaluation from end to end, on a platform of fakes."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.support.answers import answered
from tests.support.collecting_graph import CollectingGraph

from interlace.domain.answers import Answer, AnswerRequest, Sufficiency
from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError, ParseError
from interlace.domain.hits import QueryRequest, QueryResponse, Ranked
from interlace.evaluation.collection import Collection, load_collection
from interlace.evaluation.session import EvaluationSession, RunOptions
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import LlmSettings, Settings


class FakePlatform:
    """Records what is done to it; a question is answered with the first document."""

    def __init__(self, held: dict[str, str] | None = None, on_their_way: tuple[str, ...] = ()) -> None:
        self.log: list[str] = []
        self.held, self.on_their_way = held or {}, on_their_way
        references = [
            {"id": uri, "source": uri, "file": None, "checksum": checksum, "indexed": "", "access": None}
            for uri, checksum in self.held.items()
        ]
        self.graph = CollectingGraph({"references/file_references": references})
        self.settings = Settings()
        self.embedder = None
        self.receiver = self
        self.questions = SimpleNamespace(search=self.ask)
        self.answers = SimpleNamespace(answer=self.answer)

    def find(self, _: str) -> dict[str, str]:
        return {uri: uri for uri in [*self.held, *self.on_their_way]}

    def receive(self, tenant: str, sources: list[Any]) -> SimpleNamespace:
        self.log.append(f"receive {len(sources)} as {tenant}")
        return SimpleNamespace(job_id="receive")

    def delete(self, _: str, *, everything: bool = False, ids: list[str] | None = None) -> SimpleNamespace:
        if ids:
            self.log.append(f"delete {len(ids)}")
            return SimpleNamespace(job_id="delete")
        assert everything
        if not any(entry.startswith("receive") for entry in self.log):
            raise NotFoundError("There are no documents.")
        self.log.append("delete")
        return SimpleNamespace(job_id="delete")

    def answer(self, _: str, request: AnswerRequest) -> Answer:
        assert request.insist
        there = 0.1 if "delete 1" in self.log else 0.9
        self.log.append(f"answer {request.query.text}{' in quotes' if request.extractive else ''}")
        return answered(Sufficiency(there, 0.25), "It is B.", "corpus.jsonl#a", generated=not request.extractive)

    def ask(self, _: str, request: QueryRequest) -> QueryResponse:
        ranked = (Ranked("c1", "d1", "corpus.jsonl#a", 1.0),)
        rankings = {"graph": ranked, "fused": ranked} if request.explain else {}
        empty: Any = {}
        return QueryResponse(
            request.text, (), empty, empty, empty, "hybrid", ("graph",), "", (), {"graph": 1.0}, empty, rankings
        )


def session(platform: FakePlatform, *, failed: int = 0) -> EvaluationSession:
    def follow(_: str, job: str) -> Any:
        failures = [SimpleNamespace(message="The file is empty.")]
        return SimpleNamespace(kind=job, ready=2 - failed, failed=failed, failures=failures)

    def refresh(_: str) -> float:
        platform.log.append("refresh")
        return 1.25

    platform_: Any = platform
    return EvaluationSession(platform_, lambda: platform_, follow, refresh, lambda _: None)


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    lines = [f'{{"_id": "{name}", "title": "{name.upper()}", "text": "Some text of {name}."}}\n' for name in "ab"]
    (tmp_path / "corpus.jsonl").write_text("".join(lines), encoding="utf-8")
    question = '{"_id": "q", "text": "Who?", "answer": "B", "aliases": ["Bee"]}\n'
    (tmp_path / "queries.jsonl").write_text(question, encoding="utf-8")
    (tmp_path / "qrels.tsv").write_text("q\ta\t1\n", encoding="utf-8")
    return load_collection(tmp_path)


def test_a_corpus_is_ingested_asked_and_removed(collection: Collection) -> None:
    platform = FakePlatform()
    result = session(platform).run(collection, RunOptions())
    assert platform.log == [f"receive 2 as {collection.tenant}", "refresh", "delete"]
    assert result.measures["graph"]["recall@2"] == 100.0
    assert result.ingestion["documents"] == 2.0
    assert result.ingestion["communities_seconds"] == 1.2


@pytest.mark.parametrize("model", ["", "openai/any"])
def test_answers_are_measured_with_and_without_their_documents(collection: Collection, model: str) -> None:
    platform = FakePlatform()
    platform.settings = Settings(llm=LlmSettings(model=model))
    result = session(platform).run(collection, RunOptions(answers=True, keep=True)).answers
    written = ["answer Who?"] if model else []
    assert platform.log[2:] == [
        "answer Who? in quotes",
        *written,
        "delete 1",
        "answer Who? in quotes",
        f"receive 1 as {collection.tenant}",
    ]
    assert result is not None
    assert list(result.values) == ["extractive", *(["generated"] if model else [])]
    assert result.means("extractive")["string@1"] == (100.0, (100.0, 100.0))
    assert result.abstention is not None
    assert result.abstention.auroc == 1.0
    if model:
        assert result.tokens == {"extractive": 0.0, "generated": 7.0}


def test_a_kept_corpus_is_whole_again_when_asking_without_its_documents_is_interrupted(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = FakePlatform()
    ordinary = platform.answer

    def interrupted(tenant: str, request: AnswerRequest) -> Answer:
        if "delete 1" in platform.log:
            raise KeyboardInterrupt
        return ordinary(tenant, request)

    monkeypatch.setattr(platform.answers, "answer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        session(platform).run(collection, RunOptions(answers=True, keep=True))
    assert platform.log[-2:] == ["delete 1", f"receive 1 as {collection.tenant}"]


def test_a_kept_corpus_is_not_removed_and_can_be_limited(collection: Collection) -> None:
    platform = FakePlatform()
    session(platform).run(collection, RunOptions(keep=True, limit=1))
    assert platform.log == [f"receive 1 as {collection.tenant}", "refresh"]


def corpus_of(collection: Collection) -> dict[str, str]:
    found = find_sources([collection.corpus], limits=ParseLimits())
    return {each.uri: each.checksum for each in found if isinstance(each, Source)}


def test_a_reused_corpus_is_neither_ingested_nor_removed(collection: Collection) -> None:
    platform = FakePlatform(corpus_of(collection))
    result = session(platform).run(collection, RunOptions(reuse=True))
    assert (platform.log, result.ingestion) == ([], {})
    with pytest.raises(NotFoundError, match="Nothing was kept"):
        session(FakePlatform()).run(collection, RunOptions(reuse=True))


def test_another_corpus_or_a_part_of_one_is_not_reused(collection: Collection) -> None:
    whole = corpus_of(collection)
    for held, same in (({"corpus.jsonl#a": whole["corpus.jsonl#a"]}, 1), (dict.fromkeys(whole, "other"), 0)):
        with pytest.raises(ConflictError, match=rf"holds {len(held)} documents, {same} of which are among the 2 of"):
            session(FakePlatform(held)).run(collection, RunOptions(reuse=True))
    part = FakePlatform({"corpus.jsonl#a": whole["corpus.jsonl#a"]})
    assert session(part).run(collection, RunOptions(reuse=True, limit=1)).ingestion == {}


def test_a_tenant_with_documents_of_others_is_left_alone(collection: Collection) -> None:
    for platform in (
        FakePlatform({"corpus.jsonl#a": "1", "mine/anna.md": "2"}),
        FakePlatform({"corpus.jsonl#a": "1"}, ("mine/anna.md",)),
    ):
        with pytest.raises(ConflictError, match=r"the first: mine/anna\.md\. Rename the folder"):
            session(platform).run(collection, RunOptions())
        assert not platform.log


def test_a_document_that_fails_ends_the_evaluation_which_leaves_nothing(collection: Collection) -> None:
    platform = FakePlatform()
    with pytest.raises(ConflictError, match=r"1 document failed: The file is empty\."):
        session(platform, failed=1).run(collection, RunOptions())
    assert platform.log == [f"receive 2 as {collection.tenant}", "delete"]


def test_a_line_of_the_corpus_that_cannot_be_parsed_ends_it(collection: Collection) -> None:
    collection.corpus.write_text("{", encoding="utf-8")
    with pytest.raises(ParseError, match="line 1"):
        session(FakePlatform()).run(collection, RunOptions())


def test_judgements_of_documents_that_are_not_there_end_it_before_anything_is_ingested(collection: Collection) -> None:
    platform = FakePlatform()
    wrong = replace(collection, qrels={"q": {"a": 1, "a.md": 1, "z.md": 2}})
    with pytest.raises(
        InvalidInputError, match=r"2 of 3 documents in qrels\.tsv are not in .*, the first: 'a\.md'\. Name them by"
    ):
        session(platform).run(wrong, RunOptions())
    assert not platform.log
    session(platform).run(wrong, RunOptions(limit=1))


def test_agreement_needs_embeddings(collection: Collection) -> None:
    options = RunOptions(reuse=True, exact_agreement=True)
    with pytest.raises(InvalidInputError, match="EMBEDDING__ENABLED"):
        session(FakePlatform(corpus_of(collection))).run(collection, replace(options, keep=True))
