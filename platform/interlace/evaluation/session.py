"""An evaluation from end to end: ingest a collection into a tenant of its own, ask its questions, measure, and remove it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from interlace.documents.verification import file_references_of
from interlace.domain.answers import Answer, AnswerRequest
from interlace.domain.documents import Source
from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError, ParseError
from interlace.domain.hits import QueryRequest
from interlace.domain.ids import document_id
from interlace.evaluation.abstention import Abstention
from interlace.evaluation.agreement import exact_agreement
from interlace.evaluation.answers import STRING_AT, AnswerEvaluation, measure_answers
from interlace.evaluation.collection import Collection, corpus_id, is_of_corpus
from interlace.evaluation.floor import measure_floor
from interlace.evaluation.runner import ORDINARY, Evaluation, ask_questions
from interlace.jobs.service import JobStatus
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.search.profile import PROFILE

if TYPE_CHECKING:
    from interlace.bootstrap import Platform


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a collection is evaluated.

    Args:
        template: mode, and legs and boosts to leave out, of every question.
        keep: leave the ingested corpus for a later run.
        reuse: use the corpus that an earlier run kept, and keep it.
        limit: documents of the corpus to take; all without it.
        floor: also measure the models alone on the same text.
        exact_agreement: also measure how far approximate search agrees with exact search.
        answers: also answer the questions, and once more without their relevant documents.
    """

    template: QueryRequest = ORDINARY
    keep: bool = False
    reuse: bool = False
    limit: int | None = None
    floor: bool = False
    exact_agreement: bool = False
    answers: bool = False


@dataclass(frozen=True, slots=True)
class EvaluationSession:
    """Evaluates collections on a platform.

    Args:
        platform: the wired platform.
        open_platform: opens the same platform in a new process, for the model floor.
        follow: waits for a job of a tenant and returns its last state.
        refresh: rebuilds a tenant's communities from scratch and returns the seconds it took.
        say: reports progress.
    """

    platform: "Platform"
    open_platform: Callable[[], "Platform"]
    follow: Callable[[str, str], JobStatus]
    refresh: Callable[[str], float]
    say: Callable[[str], None]

    def run(self, collection: Collection, options: RunOptions) -> Evaluation:
        """Ingest a collection unless it is reused, ask its questions, measure, and remove it unless it is kept.

        Raises:
            NotFoundError: nothing was kept to reuse.
            ConflictError: a document could not be ingested, what was kept is not this corpus, or the tenant holds other documents.
            InvalidInputError: the corpus lacks a relevant document, or ``exact_agreement`` without approximate search of embeddings.
        """
        if options.reuse:
            self._check_kept(collection, options.limit)
            return self._measured(collection, options, {})
        sources = self._sources(collection, options.limit)
        self._check_own(collection)
        try:
            return self._measured(collection, options, self._ingest(collection, options, sources))
        finally:
            if not options.keep:
                self.clear(collection)

    def _measured(self, collection: Collection, options: RunOptions, ingestion: dict[str, float]) -> Evaluation:
        self.say(f"Asking {len(collection.queries)} questions")
        result = ask_questions(
            collection,
            lambda request: self.platform.questions.search(collection.tenant, request),
            template=options.template,
        )
        result.ingestion = ingestion
        if options.exact_agreement:
            result.agreement = self._agreement(collection)
        if options.answers:
            result.answers = self._answers(collection, options, kept=options.keep or options.reuse)
        return result

    def _check_kept(self, collection: Collection, limit: int | None) -> None:
        """Raise an error unless the tenant holds the corpus, or as much of it as is wanted, and nothing else."""
        held = self._held(collection)
        if not held:
            raise NotFoundError(f"Nothing was kept of {collection.name}; run without --reuse and with --keep first.")
        corpus = {source.uri: source.checksum for source in self._sources(collection, limit)}
        if held != corpus:
            same = len(held.items() & corpus.items())
            raise ConflictError(
                f"Tenant {collection.tenant} holds {len(held)} documents, {same} of which are among the {len(corpus)} of "
                f"{collection.corpus}; run without --reuse and with --keep again."
            )

    def _check_own(self, collection: Collection) -> None:
        """Raise an error if the tenant holds what no evaluation ingested, because it would be deleted."""
        held = self.platform.receiver.find(collection.tenant).values()
        foreign = next((uri for uri in sorted(held) if not is_of_corpus(uri)), None)
        if foreign is not None:
            raise ConflictError(
                f"Tenant {collection.tenant} holds documents that no evaluation ingested, the first: {foreign}. Rename the folder "
                f"{collection.name}, because an evaluation clears its tenant."
            )

    def _held(self, collection: Collection) -> dict[str, str]:
        """Return source URI to checksum of what the tenant holds."""
        references = file_references_of(self.platform.graph, collection.tenant, "")
        return {reference.source_uri: reference.checksum for reference in references}

    def clear(self, collection: Collection) -> None:
        """Remove a collection's documents, if there are any."""
        try:
            receipt = self.platform.receiver.delete(collection.tenant, everything=True)
        except NotFoundError:
            return
        self.follow(collection.tenant, receipt.job_id)

    def _answers(self, collection: Collection, options: RunOptions, *, kept: bool) -> AnswerEvaluation:
        """Answer the questions, then again after their relevant documents were deleted; restores those of a corpus that is kept."""
        result = AnswerEvaluation()
        there = self._ask_for_answers(collection, options.template, extractive=True)
        self._measure(result, "extractive", collection, there)
        if self.platform.settings.llm.model_for("answers"):
            self._measure(result, "generated", collection, self._ask_for_answers(collection, options.template))
        relevant = collection.relevant
        sources = [each for each in self._sources(collection, options.limit) if corpus_id(each.uri) in relevant]
        self.say(f"Asking again without the {len(sources)} relevant documents")
        ids = [document_id(collection.tenant, each.uri) for each in sources]
        self.follow(collection.tenant, self.platform.receiver.delete(collection.tenant, ids=ids).job_id)
        try:
            gone = self._ask_for_answers(collection, options.template, extractive=True)
        finally:
            if kept:
                self._receive(collection, sources)
        result.abstention = Abstention(*([each.sufficiency for each in some.values()] for some in (there, gone)))
        return result

    def _ask_for_answers(
        self, collection: Collection, template: QueryRequest, *, extractive: bool = False
    ) -> dict[str, Answer]:
        """Return the answer to each question, from the best evidence there is, however little."""
        ask = partial(self.platform.answers.answer, collection.tenant)
        return {
            query: ask(AnswerRequest(replace(template, text=text), max(STRING_AT), insist=True, extractive=extractive))
            for query, text in sorted(collection.queries.items())
        }

    def _measure(self, result: AnswerEvaluation, mode: str, collection: Collection, answers: dict[str, Answer]) -> None:
        result.values[mode] = measure_answers(collection, answers)
        result.tokens[mode] = round(sum(each.tokens for each in answers.values()) / len(answers), 1)

    def _ingest(self, collection: Collection, options: RunOptions, sources: list[Source]) -> dict[str, float]:
        """Ingest the corpus and return the figures: documents, seconds, the model floor and the ratio to it."""
        self.clear(collection)
        figures: dict[str, float] = {}
        if options.floor:
            # Before the ingestion: after it, the workers make communities.
            self.say("Measuring the models alone on the same text")
            figures["model_floor_seconds"] = round(self._floor(sources), 1)
        self.say(f"Ingesting {len(sources)} documents of {collection.name} as tenant {collection.tenant}")
        started = time.perf_counter()
        status = self._receive(collection, sources)
        seconds = time.perf_counter() - started
        figures |= {"documents": float(status.ready), "seconds": round(seconds, 1)}
        if options.floor:
            figures["ratio"] = round(seconds / figures["model_floor_seconds"], 2)
        # From scratch: communities that workers made along the way depend on timing. Waiting for those is not part of the figure.
        return figures | {"communities_seconds": round(self.refresh(collection.tenant), 1)}

    def _receive(self, collection: Collection, sources: Sequence[Source]) -> JobStatus:
        receipt = self.platform.receiver.receive(collection.tenant, sources)
        status = self.follow(collection.tenant, receipt.job_id)
        if status.failed:
            failed = "1 document failed" if status.failed == 1 else f"{status.failed} documents failed, the first"
            raise ConflictError(f"{failed}: {status.failures[0].message}")
        return status

    def _sources(self, collection: Collection, limit: int | None) -> list[Source]:
        found = list(islice(find_sources([collection.corpus], limits=self._limits), limit))
        for source in found:
            if isinstance(source, ParseError):
                raise source
        sources = [source for source in found if not isinstance(source, ParseError)]
        missing = sorted(collection.relevant - {corpus_id(source.uri) for source in sources})
        if missing and limit is None:
            raise InvalidInputError(
                f"{len(missing)} of {len(collection.relevant)} documents in qrels.tsv are not in {collection.corpus}, the first: {missing[0]!r}. "
                "Name them by _id (corpus.jsonl) or by path (corpus/a.md, corpus/b.csv#7)."
            )
        return sources

    def _floor(self, sources: list[Source]) -> float:
        words = self.platform.settings.ingest.chunk_words
        chunks = [part for source in sources for part in chunk(source.uri, parse(source, self._limits), words)]
        texts = [(part.text, f"{part.context}\n{part.text}") for part in chunks]
        return measure_floor(texts, self.platform.settings.worker.processes, self.open_platform)

    @property
    def _limits(self) -> ParseLimits:
        return ParseLimits(max_bytes=self.platform.settings.ingest.max_bytes)

    def _agreement(self, collection: Collection) -> float:
        """Return the mean agreement of approximate with exact search, in percent."""
        platform = self.platform
        if platform.embedder is None or platform.settings.qdrant.exact:
            raise InvalidInputError(
                "--exact-agreement compares approximate with exact search of embeddings: it needs "
                "INTERLACE_EMBEDDING__ENABLED=true and INTERLACE_QDRANT__EXACT=false."
            )
        shares = exact_agreement(
            platform.vectors,
            platform.embedder,
            collection.tenant,
            collection.queries.values(),
            candidates=PROFILE.candidates,
        )
        return round(100 * sum(shares) / len(shares), 2)
