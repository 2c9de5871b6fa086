"""A sentence that is verified is shown while the model still writes the next: over HTTP and in the terminal, on real documents."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from tests.conftest import waiting_for_legs
from tests.e2e.command_line import stack_environment
from tests.integration.ingestion_world import World
from tests.support.answers import said
from tests.support.recorded_provider import DOWN, NONSENSE, Fault, HeldStream, RecordedProvider
from tests.support.served import served

from interlace.api.app import create_app
from interlace.client import Interlace
from interlace.domain.effort import Work, effort
from interlace.settings import LlmSettings, Settings

TENANT = "answers-streamed"
DOCUMENTS = {
    "ferry.md": "# The Grey Ferry\n\nThe Grey Ferry is a silent film of 1911. It was directed by Orla Venning.\n",
    "venning.md": "# Orla Venning\n\nOrla Venning was a Danish director. She was born in Aalborg and married Knud Strand.\n",
}
QUESTION = "Whom did the director of The Grey Ferry marry?"
ASKED = {"query": QUESTION, "insist": True}
FIRST, LIE, LAST = (
    "Orla Venning directed The Grey Ferry.",
    "She married Sigrid Moe.",
    "Orla Venning married Knud Strand.",
)
EVENTS = {"Accept": "text/event-stream", "X-Interlace-Tenant": TENANT}


def written(body: Mapping[str, Any]) -> str:
    """What a model writes that found the ferry first or second: one sentence, a lie, and another sentence."""
    prompt = body["messages"][-1]["content"]
    ferry, venning = (1, 2) if prompt.index("silent film") < prompt.index("Danish director") else (2, 1)
    cited = (
        (FIRST, [(ferry, "directed by Orla Venning")]),
        (LIE, [(venning, "married Sigrid Moe")]),
        (LAST, [(venning, "and married Knud Strand")]),
    )
    return json.dumps(said(*cited, short="Knud Strand"))


@pytest.fixture
def provider() -> Iterator[RecordedProvider]:
    with RecordedProvider(written) as started:
        yield started


@pytest.fixture
def world(stack: Settings, provider: RecordedProvider) -> Iterator[World]:
    llm = LlmSettings(model="openai/recorded", url=provider.url, timeout=120, answer_seconds=120, extraction="off")
    world = World(waiting_for_legs(stack).model_copy(update={"llm": llm}))
    world.ingest(TENANT, DOCUMENTS)
    yield world
    world.clear(TENANT)
    world.close()


@contextmanager
def address_of(world: World) -> Iterator[str]:
    """Serve the platform; give its address."""
    with served(create_app(world.platform)) as port:
        yield f"http://127.0.0.1:{port}"


def events_of(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Yield events as they arrive."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_a_sentence_arrives_before_the_provider_sends_the_next(world: World, provider: RecordedProvider) -> None:
    held = provider.before = HeldStream(200)
    with address_of(world) as address, httpx.Client(base_url=address, timeout=120, trust_env=False) as http:
        with http.stream("POST", "/v1/answer", json=ASKED, headers=EVENTS) as answer:
            events = events_of(answer.iter_lines())
            seen = [next(events), next(events)]
            held.release()
            seen += events
        whole = http.post("/v1/answer", json=ASKED, headers={"X-Interlace-Tenant": TENANT}).json()
        with Interlace(address, tenant=TENANT, timeout=120) as client:
            from_python = client.answer(QUESTION, insist=True)
    assert [name for name, _ in seen] == ["sufficiency", "sentence", "sentence", "answer"]
    assert LIE not in json.dumps(seen)
    shown = [data for name, data in seen if name == "sentence"]
    assert [each["text"] for each in shown] == [FIRST, LAST]
    for each in shown:
        assert [note["number"] for note in each["footnotes"]] == each["citations"]
        assert all(note["quote"] in DOCUMENTS[note["source_uri"]] for note in each["footnotes"])
    last = seen[-1][1]
    assert [{"text": each["text"], "citations": each["citations"]} for each in shown] == last["sentences"]
    assert last["generation"]["dropped"] == {"quote": 1}
    for other in (whole, from_python):
        assert {name: other[name] for name in other if name != "timings"} == {
            name: last[name] for name in last if name != "timings"
        }


def test_the_cost_of_an_answer_counts_the_tokens_of_the_model(world: World, provider: RecordedProvider) -> None:
    with address_of(world) as address, Interlace(address, tenant=TENANT, timeout=120) as client:
        generated, quoted = (client.answer(QUESTION, insist=True, extractive=each) for each in (False, True))
    for answer in (generated, quoted):
        counts = {kind: int(answer["effort"][kind]) for kind in ("legs", "hops", "candidates", "tokens")}
        assert answer["effort"]["lambda"] == pytest.approx(effort(Work(**counts)))
        assert counts["tokens"] == answer["tokens"]
    assert (quoted["tokens"], generated["tokens"]) == (0, provider.tokens)
    assert generated["effort"]["lambda"] > quoted["effort"]["lambda"] > 0


def test_a_stream_that_breaks_is_charged_and_leaves_nothing_reserved(world: World, provider: RecordedProvider) -> None:
    provider.faults = [Fault(breaks=200)]
    with address_of(world) as address, Interlace(address, tenant=TENANT, timeout=120) as client:
        answer = client.answer(QUESTION, insist=True)
    assert ([each["text"] for each in answer["sentences"]], answer["degraded"]) == ([FIRST], ["language_model"])
    (used,) = world.platform.enrichment.usage(TENANT)
    assert used.tokens == answer["tokens"] > 100
    assert used.calls == 1


def test_an_answer_whose_repair_fails_is_charged(world: World, provider: RecordedProvider) -> None:
    provider.faults = [NONSENSE, DOWN]
    with address_of(world) as address, Interlace(address, tenant=TENANT, timeout=120) as client:
        answer = client.answer(QUESTION, insist=True)
    assert (answer["mode"], answer["degraded"]) == ("extractive", ["language_model"])
    (used,) = world.platform.enrichment.usage(TENANT)
    assert used.tokens == answer["tokens"] == provider.tokens > 0
    assert used.calls == 1


def test_the_terminal_shows_a_sentence_before_the_provider_sends_the_next(
    stack: Settings, world: World, provider: RecordedProvider
) -> None:
    held = provider.before = HeldStream(200)
    llm = world.platform.settings.llm.model_dump(exclude_unset=True)
    variables = {f"INTERLACE_LLM__{name.upper()}": str(value) for name, value in llm.items()}
    environment = stack_environment(waiting_for_legs(stack), TENANT, **variables)
    command = [sys.executable, "-m", "interlace.cli.main", "answer", QUESTION, "--insist"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        held.release()
        rest, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert lines == ["\n", f"{FIRST} [1]\n"]
    assert rest.startswith(f"{LAST} [2]\n\n[1] The Grey Ferry")
    assert "“and married Knud Strand.”" in rest
    assert "Sigrid Moe" not in rest
