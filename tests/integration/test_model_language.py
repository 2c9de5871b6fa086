"""Questions in languages that the embedding model was not made for, on the real pipeline: its vectors do not decide, words do."""

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.conftest import waiting_for_legs
from tests.integration.ingestion_world import World

from interlace.domain.hits import LegName, QueryRequest, QueryResponse, Signal
from interlace.search.profile import PROFILE
from interlace.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.vectors]

Ask = Callable[..., QueryResponse]
RUSSIAN = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "languages" / "russian.json").read_text(encoding="utf-8")
)
OTHERS = {
    "moulin": "Le vieux moulin du ruisseau a été restauré par les habitants du village. Il est ouvert tous les dimanches de l'été.",
    "mill": "The old mill on the brook was restored by the people of the village. It is open on Sundays in summer.",
}


@pytest.fixture(scope="module")
def ask(stack: Settings) -> Iterator[Ask]:
    """Ask a tenant with Russian, French and English documents, by all legs or by some."""
    texts = {f"ru/{each['name']}.md": each["text"] for each in RUSSIAN} | {
        f"other/{name}.md": text for name, text in OTHERS.items()
    }
    with closing(World(waiting_for_legs(stack))) as world, world.tenant() as tenant:
        world.ingest(tenant, texts)

        def asked(text: str, *legs: LegName, without: Collection[Signal] = ()) -> QueryResponse:
            request = QueryRequest(text, legs=legs or None, without=frozenset(without))
            answer = world.platform.questions.search(tenant, request)
            assert not answer.degraded
            return answer

        yield asked


def test_in_another_script_the_fused_list_begins_as_its_words_say(ask: Ask) -> None:
    wanted = {each["question"]: f"ru/{each['name']}.md" for each in RUSSIAN}
    by_words = {question: ask(question, "keyword").hits[0].source_uri for question in wanted}
    fused = {question: ask(question).hits[0].source_uri for question in wanted}
    assert sum(fused[each] == wanted[each] for each in wanted) >= sum(by_words[each] == wanted[each] for each in wanted)
    assert sum(fused[each] == wanted[each] for each in wanted) >= len(wanted) - 1


@pytest.mark.parametrize(
    ("question", "known"),
    [
        (RUSSIAN[0]["question"], PROFILE.rerank.foreign),
        ("Quand le moulin du ruisseau est-il ouvert ?", PROFILE.rerank.foreign),
        ("moulin restauré", PROFILE.rerank.foreign),
        ("Who restored the mill?", 1.0),
        ("mill brook", 1.0),
    ],
)
def test_an_answer_says_how_far_the_model_knows_the_language(ask: Ask, question: str, known: float) -> None:
    # In Latin letters the documents tell, and some word of theirs may be the same in both languages.
    assert ask(question).weights["confidence.language"] == pytest.approx(known, abs=0.2)


def test_where_vectors_alone_answer_they_are_all_there_is(ask: Ask) -> None:
    assert ask(RUSSIAN[0]["question"], "vector").weights["confidence.language"] == 1.0


def test_a_question_may_leave_it_out(ask: Ask) -> None:
    assert ask(RUSSIAN[0]["question"], without={"language"}).weights["confidence.language"] == 1.0
