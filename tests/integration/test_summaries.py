"""Summaries and descriptions by a language model: cited, verified, paid for once, and gone with their documents."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.integration.enriching_world import EnrichingWorld, with_model
from tests.integration.ingestion_world import World
from tests.support.recorded_provider import DOWN, NONSENSE, RecordedProvider
from tests.support.summary_answers import Describer, Sentences, quoting

from interlace.communities.repository import Community, CommunityRepository
from interlace.domain.generated_text import GeneratedText
from interlace.enrichment.overview import WaitingTexts
from interlace.entities.repository import EntityRepository
from interlace.export.backup import save
from interlace.export.restore import restore
from interlace.language_models.pauses import UNUSABLE_IN_A_ROW, Backoff
from interlace.settings import Settings
from interlace.summaries.author import ASKED_AGAIN_SECONDS

FERRY = "# The Grey Ferry\n\nThe Grey Ferry was directed by Orla Venning. Knud Strand painted it in Aalborg.\n"
VENNING = "# Orla Venning\n\nOrla Venning was a Danish director. She married Knud Strand in Aalborg.\n"
STRAND = "# Knud Strand\n\nKnud Strand was a painter from Vienna. Orla Venning met him on The Grey Ferry.\n"
BREAD = "# Rye bread\n\nFritz Lang bakes rye bread with the Zorbax Unit in Graz.\n"
DOCUMENTS = {"ferry.md": FERRY, "venning.md": VENNING, "strand.md": STRAND}
CALLS = 120


@pytest.fixture(scope="module")
def describer() -> Describer:
    return Describer()


@pytest.fixture(scope="module")
def provider(describer: Describer) -> Iterator[RecordedProvider]:
    with RecordedProvider(describer) as started:
        yield started


@pytest.fixture(scope="module")
def opened(stack: Settings, world: World, provider: RecordedProvider) -> Iterator[EnrichingWorld]:
    settings = with_model(stack, provider, extraction="off", answers="off", summaries="on")
    made = EnrichingWorld(settings, world)
    yield made
    made.close()


@pytest.fixture
def writing(
    opened: EnrichingWorld, provider: RecordedProvider, describer: Describer, monkeypatch: pytest.MonkeyPatch
) -> EnrichingWorld:
    # A pause is over when a test says so, not while a busy machine takes the next step.
    monkeypatch.setattr("interlace.language_models.pauses._IN_BACKGROUND", Backoff(100.0, 600.0))
    provider.always = None
    provider.faults.clear()
    provider.bodies.clear()
    describer.write = quoting
    describer.asked.clear()
    opened.restart()
    return opened


@pytest.fixture
def tenant(writing: EnrichingWorld) -> Iterator[str]:
    with writing.tenant() as name:
        yield name


def begin(writing: EnrichingWorld, tenant: str, documents: Mapping[str, str] = DOCUMENTS) -> None:
    writing.ingest(tenant, dict(documents))
    writing.platform.communities.refresh(tenant)


def write(writing: EnrichingWorld, tenant: str) -> int:
    writer = writing.platform.summary_writer
    assert writer is not None
    return writer.run(tenant)


def description(writing: EnrichingWorld, tenant: str, name: str) -> GeneratedText | None:
    rows = writing.rows("MATCH (e:Entity {tenant: $tenant}) RETURN e.id AS id, e.name AS name", tenant)
    identity = next(row["id"] for row in rows if row["name"] == name)
    return EntityRepository(writing.platform.graph).get(tenant, identity).generated


def communities(writing: EnrichingWorld, tenant: str) -> list[Community]:
    return CommunityRepository(writing.platform.graph).list(tenant)


def texts(writing: EnrichingWorld, tenant: str) -> list[dict[str, Any]]:
    return writing.rows(
        "MATCH (t:GeneratedText {tenant: $tenant}) RETURN t.id AS id, t.output AS output, t.tokens AS tokens", tenant
    )


def test_communities_and_entities_are_described_with_citations(
    writing: EnrichingWorld, describer: Describer, tenant: str
) -> None:
    begin(writing, tenant)
    plain = communities(writing, tenant)
    assert plain
    assert all(each.generated is None for each in plain)
    assert write(writing, tenant) == len(describer.asked) == len(texts(writing, tenant)) > 3
    shown = communities(writing, tenant)
    assert [each.summary for each in shown] == [each.summary for each in plain], "the extractive ones stay"
    found = [each.generated for each in shown]
    found.append(description(writing, tenant, "Orla Venning"))
    chunks = {
        row["id"]: row["text"]
        for row in writing.rows("MATCH (c:Chunk {tenant: $tenant}) RETURN c.id AS id, c.text AS text", tenant)
    }
    for text in found:
        assert text is not None
        assert text.model == "openai/recorded"
        assert text.sentences
        for sentence in text.sentences:
            assert all(sentence.text in chunks[chunk] for chunk in sentence.chunk_ids)
    one = CommunityRepository(writing.platform.graph).get(tenant, shown[0].id).community
    assert one.generated == shown[0].generated
    assert writing.platform.reconciler.check(tenant) == []
    assert writing.platform.enrichment.usage(tenant)[0].calls == len(describer.asked)


def test_only_what_changed_is_written_again(
    writing: EnrichingWorld, describer: Describer, tenant: str, tmp_path: Path
) -> None:
    begin(writing, tenant)
    write(writing, tenant)
    first = len(describer.asked)
    begin(writing, tenant, {"other.md": BREAD})
    write(writing, tenant)
    added = len(describer.asked)
    assert first < added
    # The same versions again, communities with new ids, a chunk rewritten as it was, a restore: nothing is asked for.
    begin(writing, tenant)
    writing.platform.communities.refresh(tenant, fresh=True)
    writing.run("MATCH (d:Document {tenant: $tenant}) SET d.fingerprint = 'other'", tenant)
    begin(writing, tenant)
    writing.run("MATCH (t:Tenant {tenant: $tenant}) SET t.summariesVersion = -1", tenant)
    assert write(writing, tenant) == 0
    before = sorted(row["id"] for row in texts(writing, tenant))
    file = tmp_path / "backup.jsonl.gz"
    save(writing.platform.graph, [tenant], file, {}, pause=writing.platform.communities.paused)
    writing.clear(tenant)
    restore(writing.platform.graph, writing.platform.vectors, file)
    writing.platform.entity_linkers.of(tenant).reset()
    assert sorted(row["id"] for row in texts(writing, tenant)) == before
    assert description(writing, tenant, "Orla Venning") is not None
    assert write(writing, tenant) == 0
    assert set(describer.asked.values()) == {1}
    assert len(describer.asked) == added


def test_words_of_a_deleted_document_go_with_it(writing: EnrichingWorld, tenant: str) -> None:
    begin(writing, tenant)
    write(writing, tenant)
    assert any("painter from Vienna" in row["output"] for row in texts(writing, tenant))
    writing.delete(tenant, "strand.md")
    assert not any("Vienna" in row["output"] for row in texts(writing, tenant))
    assert all("Vienna" not in (each.generated.text if each.generated else "") for each in communities(writing, tenant))
    found = description(writing, tenant, "Orla Venning")
    assert found is None or "Vienna" not in found.text
    # What is left of the documents is described again.
    writing.platform.communities.refresh(tenant)
    write(writing, tenant)
    assert description(writing, tenant, "Orla Venning") is not None
    writing.ingest(tenant, {"venning.md": VENNING.replace("Danish director", "Dutch sailor")})
    assert not any("Danish" in row["output"] for row in texts(writing, tenant))
    writing.delete(tenant)
    assert {label for row in writing.left(tenant) for label in row["labels"]} <= {"TokenUsage", "Community"}


def test_a_text_is_hidden_as_soon_as_a_source_is_called_otherwise(writing: EnrichingWorld, tenant: str) -> None:
    begin(writing, tenant)
    write(writing, tenant)
    assert description(writing, tenant, "Orla Venning") is not None
    writing.run("MATCH (d:Document {tenant: $tenant}) SET d.title = 'Another'", tenant)
    assert description(writing, tenant, "Orla Venning") is None
    assert all(each.generated is None for each in communities(writing, tenant))


def lying(name: str, pieces: Mapping[int, str]) -> Sentences:
    """Invent a name, a quote, a number and a piece of evidence; one sentence is true."""
    true = quoting(name, pieces)[:1]
    quote = true[0]["citations"]
    return [
        {"text": "Igor Malev owned all of it.", "citations": quote},
        {"text": "It was sold in 1987.", "citations": quote},
        {"text": true[0]["text"], "citations": [{"evidence": 1, "quote": "words that stand nowhere at all"}]},
        {"text": true[0]["text"], "citations": [{"evidence": 99, "quote": true[0]["text"]}]},
        {"text": "See https://evil.example/x for more.", "citations": quote},
        *true,
    ]


def test_of_a_lying_model_only_what_stands_is_kept(writing: EnrichingWorld, describer: Describer, tenant: str) -> None:
    describer.write = lying
    begin(writing, tenant)
    write(writing, tenant)
    found = "".join(row["output"] for row in texts(writing, tenant))
    assert "Venning" in found
    assert not any(word in found for word in ("Malev", "1987", "evil.example"))
    assert all(each.generated and len(each.generated.sentences) == 1 for each in communities(writing, tenant))


def test_what_nonsense_spoiled_is_asked_for_again_after_it(
    writing: EnrichingWorld, provider: RecordedProvider, describer: Describer, tenant: str
) -> None:
    begin(writing, tenant, DOCUMENTS | {"other.md": BREAD})
    provider.always = NONSENSE
    assert write(writing, tenant) == 0
    assert provider.calls == 2 * UNUSABLE_IN_A_ROW, "with its repair each; then the provider is left alone"
    waiting = writing.platform.enrichment.state(tenant).summaries
    assert waiting is not None
    assert "5 answers in a row could not be used" in waiting.reason
    assert waiting.due > 0
    assert all(each.generated is None and each.summary for each in communities(writing, tenant))
    provider.always = None
    writing.restart()
    writing.pass_time(tenant)
    writing.tasks.enrichments.clear()
    writing.swept(tenant)
    assert tenant in writing.tasks.enrichments
    assert write(writing, tenant) == waiting.left == len(describer.asked) > UNUSABLE_IN_A_ROW
    assert all(row["output"] != "[]" for row in texts(writing, tenant))
    assert writing.platform.enrichment.state(tenant).summaries is None
    spent = sum(each.tokens for each in writing.platform.enrichment.usage(tenant))
    assert spent >= sum(row["tokens"] for row in texts(writing, tenant))


def test_one_spoiled_text_is_asked_for_a_few_times_and_no_more(
    writing: EnrichingWorld, provider: RecordedProvider, describer: Describer, tenant: str
) -> None:
    begin(writing, tenant)
    provider.faults = [NONSENSE, NONSENSE]
    done = write(writing, tenant)
    assert done == len(describer.asked)
    waiting = writing.platform.enrichment.state(tenant).summaries
    assert waiting is not None
    assert (waiting.left, waiting.reason.split(".")[0]) == (
        1,
        "One answer could not be used and will be asked for again",
    )
    assert 0 < waiting.due <= ASKED_AGAIN_SECONDS[0]
    writing.run("MATCH (t:Tenant {tenant: $tenant}) SET t.summariesDueAt = null", tenant)
    calls = provider.calls
    assert write(writing, tenant) == 0
    assert provider.calls == calls, "not before its time"
    for seconds in (*ASKED_AGAIN_SECONDS[1:], 0):
        provider.faults = [NONSENSE, NONSENSE]
        writing.pass_time(tenant)
        assert write(writing, tenant) == 0
        waiting = writing.platform.enrichment.state(tenant).summaries
        assert (waiting.due if waiting else 0) == pytest.approx(seconds, abs=60)
    assert provider.calls == calls + 2 * len(ASKED_AGAIN_SECONDS)
    assert sum(row["output"] == "[]" for row in texts(writing, tenant)) == 1
    writing.run("MATCH (t:Tenant {tenant: $tenant}) SET t.summariesVersion = -1", tenant)
    writing.pass_time(tenant)
    assert write(writing, tenant) == 0
    assert (provider.calls, writing.platform.enrichment.state(tenant).summaries) == (calls + 6, None)


def test_a_provider_that_is_down_is_waited_for(
    writing: EnrichingWorld, provider: RecordedProvider, describer: Describer, tenant: str
) -> None:
    begin(writing, tenant)
    provider.always = DOWN
    state = writing.platform.enrichment.state
    assert state(tenant).summaries == WaitingTexts("", None, 0)
    assert write(writing, tenant) == 0
    waiting = state(tenant).summaries
    assert waiting is not None
    assert ("did not answer" in waiting.reason, waiting.due > 0) == (True, True)
    writing.tasks.enrichments.clear()
    writing.swept(tenant)
    assert tenant not in writing.tasks.enrichments, "not before its time"
    assert all(each.summary for each in communities(writing, tenant))
    assert writing.platform.enrichment.usage(tenant)[0].tokens == 0
    provider.always = None
    writing.restart()
    writing.pass_time(tenant)
    writing.swept(tenant)
    assert tenant in writing.tasks.enrichments
    assert write(writing, tenant) == len(describer.asked) == waiting.left
    assert state(tenant).summaries is None
    writing.tasks.enrichments.clear()
    writing.swept(tenant)
    assert tenant not in writing.tasks.enrichments, "nothing is left to do"


def test_a_text_whose_repair_fails_is_paid_for(
    writing: EnrichingWorld, provider: RecordedProvider, tenant: str
) -> None:
    begin(writing, tenant)
    before = provider.tokens
    provider.faults = [NONSENSE, DOWN]
    assert write(writing, tenant) == 0
    (used,) = writing.platform.enrichment.usage(tenant)
    assert (used.tokens, used.calls) == (provider.tokens - before, 1)


def test_a_budget_ends_a_pass_before_it_is_exceeded(
    stack: Settings, world: World, provider: RecordedProvider, writing: EnrichingWorld, tenant: str
) -> None:
    limit = 6_000
    settings = with_model(
        stack, provider, extraction="off", answers="off", summaries="on", concurrency=4, max_tokens_per_day=limit
    )
    bounded = EnrichingWorld(settings, world)
    try:
        begin(writing, tenant)
        done = write(bounded, tenant)
        (used,) = bounded.platform.enrichment.usage(tenant)
        assert 0 < used.tokens <= limit
        assert used.calls == done
        waiting = bounded.platform.enrichment.state(tenant).summaries
        assert waiting is not None
        assert waiting.left
        assert "The day's budget of 6,000 tokens" in waiting.reason
    finally:
        bounded.close()
    writing.pass_time(tenant)
    assert write(writing, tenant) == waiting.left
    assert len(texts(writing, tenant)) == done + waiting.left


def test_a_pass_ends_at_the_next_call_when_it_is_paused(
    writing: EnrichingWorld, describer: Describer, tenant: str
) -> None:
    begin(writing, tenant)
    enrichment = writing.platform.enrichment

    def pausing(name: str, pieces: Mapping[int, str]) -> Sentences:
        enrichment.pause(tenant)
        return quoting(name, pieces)

    describer.write = pausing
    done = write(writing, tenant)
    assert 0 < done <= writing.platform.settings.llm.concurrency
    assert write(writing, tenant) == 0
    describer.write = quoting
    enrichment.resume(tenant)
    rest = write(writing, tenant)
    assert rest > 0
    assert len(texts(writing, tenant)) == len(describer.asked) == done + rest


def test_a_process_may_die_before_any_call_of_the_graph(
    writing: EnrichingWorld, describer: Describer, tenant: str
) -> None:
    documents = {"venning.md": VENNING, "strand.md": STRAND}
    begin(writing, tenant, documents)
    write(writing, tenant)
    expected = sorted((row["id"], row["output"]) for row in texts(writing, tenant))
    whole = len(describer.asked)
    paid_again = 0
    death = "none yet"
    for call in range(1, CALLS + 1, 3):
        writing.run("MATCH (t:GeneratedText {tenant: $tenant}) DETACH DELETE t", tenant)
        writing.run("MATCH (t:Tenant {tenant: $tenant}) SET t.summariesVersion = -1", tenant)
        describer.asked.clear()
        death = writing.die_at(call, lambda: write(writing, tenant))
        writing.pass_time(tenant)
        write(writing, tenant)
        assert sorted((row["id"], row["output"]) for row in texts(writing, tenant)) == expected, (call, death)
        again = describer.asked.total() - whole
        assert 0 <= again <= 1, "only a process that dies between the answer and its record asks once more"
        paid_again += again
        if not death:
            break
    assert not death
    assert paid_again <= whole
