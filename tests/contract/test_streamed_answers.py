"""Sentences of a language model that are shown while it writes: each is verified first, and none is taken back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.support.answers import BREAD, FERRY, TWO_HOPS, VENNING, said
from tests.support.generated_answers import DIRECTED, MARRIED, NO_ANSWER, Author, Shelf, service
from tests.support.recorded_provider import DOWN, NONSENSE, Fault, HeldStream, RecordedProvider

from interlace.domain.answers import Answer, AnswerRequest, CitedSentence, Sufficiency, with_footnotes
from interlace.domain.hits import Hit, QueryRequest

LIE = ("Orla Venning married Sigrid Moe.", [(2, "and married Sigrid Moe")])
WRITTEN = json.dumps(said(DIRECTED, MARRIED))
SECOND = WRITTEN.index(MARRIED[0])


def follow(
    provider: RecordedProvider, *hits: Hit, further: tuple[Hit, ...] = (), **options: Any
) -> Iterator[Sufficiency | CitedSentence | Answer]:
    request = AnswerRequest(QueryRequest(TWO_HOPS), **options)
    return service(provider, Shelf(*(hits or (FERRY, VENNING)), further=further)).follow("t", request)


def ended(events: Iterator[Sufficiency | CitedSentence | Answer]) -> tuple[list[str], Answer]:
    """Return the sentences of the events and the answer, once it is sure that the answer consists of exactly these."""
    first, *sentences, answer = events
    assert isinstance(first, Sufficiency)
    assert isinstance(answer, Answer)
    assert sentences == with_footnotes(answer.sentences, answer.citations)
    return [each.text for each in answer.sentences], answer


@pytest.mark.parametrize("forms", [{"json_schema"}, {"json_object"}, set()])
@pytest.mark.parametrize("tools", [True, False])
def test_the_first_sentence_is_there_before_the_model_writes_the_second(
    provider: RecordedProvider, forms: set[str], tools: bool
) -> None:
    held = HeldStream(SECOND)
    provider.forms, provider.tools = frozenset(forms), tools
    provider.before = held
    events = follow(provider)
    seen = [next(events), next(events)]
    held.release()
    assert isinstance(seen[1], CitedSentence)
    assert seen[1].text == DIRECTED[0]
    assert [each.quote for each in seen[1].footnotes] == ["It was directed by Orla Venning."]
    texts, answer = ended(iter([*seen, *events]))
    assert (texts, answer.mode, answer.degraded) == ([DIRECTED[0], MARRIED[0]], "generated", ())


def test_no_event_has_a_sentence_whose_quote_is_not_in_its_chunk(author: Author, provider: RecordedProvider) -> None:
    author.script = [said(LIE, DIRECTED, LIE, MARRIED, (LIE[0], MARRIED[1]))]
    events = list(follow(provider, sentences=10))
    assert "Sigrid Moe" not in repr(events)
    texts, answer = ended(iter(events))
    assert texts == [DIRECTED[0], MARRIED[0]]
    assert answer.generation is not None
    assert answer.generation.dropped == {"quote": 1, "names": 1}
    hits = {hit.chunk_id: hit for hit in answer.hits}
    for event in events[1:-1]:
        assert isinstance(event, CitedSentence)
        assert event.footnotes
        for note in event.footnotes:
            hit = hits[note.chunk_id]
            assert hit.text[note.start - hit.start : note.end - hit.start] == note.quote


@pytest.mark.parametrize("first", [True, False])
def test_of_a_round_that_another_replaces_nothing_is_shown(
    author: Author, provider: RecordedProvider, first: bool
) -> None:
    incomplete = {**said(DIRECTED), "missing": "spouse of Orla Venning"}
    if not first:
        incomplete["missing"] = incomplete.pop("missing")
    author.script = [incomplete, said((MARRIED[0], [(3, MARRIED[1][0][1])]))]
    texts, answer = ended(follow(provider, FERRY, BREAD, further=(VENNING,), insist=True))
    assert texts == [MARRIED[0]]
    assert answer.generation is not None
    assert answer.generation.rounds == 2


def test_the_second_round_is_shown_as_it_comes_whatever_is_missing(author: Author, provider: RecordedProvider) -> None:
    held = HeldStream(SECOND)
    author.script = [{**NO_ANSWER, "missing": "more"}, said(DIRECTED, MARRIED, missing="more")]
    provider.before = held
    events = follow(provider, FERRY, further=(VENNING,), insist=True)
    seen = [next(events), next(events)]
    held.release()
    assert ended(iter([*seen, *events]))[0] == [DIRECTED[0], MARRIED[0]]


def test_a_model_that_says_late_that_something_is_missing_takes_nothing_back(provider: RecordedProvider) -> None:
    twice = json.dumps(said(DIRECTED, MARRIED))[:-1] + ', "missing": "more"}'
    provider.faults = [Fault(text=twice)]
    texts, answer = ended(follow(provider, further=(BREAD,)))
    assert (texts, provider.calls, answer.degraded) == ([DIRECTED[0], MARRIED[0]], 1, ())


def test_what_was_shown_before_the_stream_broke_is_the_answer(provider: RecordedProvider) -> None:
    provider.faults = [Fault(breaks=SECOND)]
    texts, answer = ended(follow(provider))
    assert (texts, answer.mode, answer.degraded) == ([DIRECTED[0]], "generated", ("language_model",))
    assert answer.generation is not None
    assert answer.generation.rounds == provider.requests == 1
    assert answer.tokens > 100, "what was read and written is paid for"


def test_a_whole_output_keeps_its_short_answer_although_the_connection_breaks(provider: RecordedProvider) -> None:
    whole = json.dumps(said(DIRECTED, MARRIED, short="Knud Strand"))
    provider.faults = [Fault(text=whole, breaks=len(whole))]
    texts, answer = ended(follow(provider))
    assert (texts, answer.degraded) == ([DIRECTED[0], MARRIED[0]], ())
    assert answer.generation is not None
    assert answer.generation.short == "Knud Strand"


def test_a_stream_that_breaks_before_a_sentence_is_an_unusable_answer(provider: RecordedProvider) -> None:
    provider.faults = [Fault(breaks=20)]
    texts, answer = ended(follow(provider, sentences=2))
    assert (len(texts), answer.mode, answer.degraded) == (2, "extractive", ("language_model",))
    assert (provider.requests, answer.tokens > 100) == (1, True)


def test_what_was_shown_in_time_is_the_answer_of_a_model_that_stops(
    provider: RecordedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("interlace.answers.circuit_breaker.time", SimpleNamespace(monotonic=lambda: now[0]))
    held = provider.before = HeldStream(SECOND)
    events = follow(provider)
    seen = [next(events), next(events)]
    now[0] += 1000
    texts, answer = ended(iter([*seen, *events]))
    held.release()
    assert (texts, answer.mode, answer.degraded) == ([DIRECTED[0]], "generated", ("language_model",))


@pytest.mark.parametrize("repaired", [None, NONSENSE, DOWN])
def test_a_repair_adds_to_what_was_shown(provider: RecordedProvider, repaired: Fault | None) -> None:
    provider.faults = [Fault(text=WRITTEN[: SECOND - 10] + "{]"), *([repaired] if repaired else [])]
    texts, answer = ended(follow(provider))
    assert texts == [DIRECTED[0]] + [MARRIED[0]] * (not repaired)
    assert answer.degraded == (("language_model",) if repaired else ())
    assert provider.requests == 2


def test_where_nothing_is_streamed_sentences_come_at_the_end(author: Author, provider: RecordedProvider) -> None:
    provider.streams = False
    assert ended(follow(provider))[0] == [DIRECTED[0], MARRIED[0]]
    author.script = [NO_ANSWER]
    assert ended(follow(provider))[0] == []
    assert provider.tokens > 0


def test_numbers_of_evidence_that_the_model_did_not_read_are_refused_while_it_writes(
    author: Author, provider: RecordedProvider
) -> None:
    shelf = [replace(BREAD, rank=3 + place, chunk_id=str(place), text="Flour and water. " * 230) for place in range(40)]
    author.script = [said(("Flour and water.", [(42, "Flour and water")]), MARRIED)]
    texts, answer = ended(follow(provider, FERRY, VENNING, *shelf))
    assert (texts, len(answer.hits) < 42) == ([MARRIED[0]], True)
    assert answer.generation is not None
    assert answer.generation.dropped == {"evidence": 1}
