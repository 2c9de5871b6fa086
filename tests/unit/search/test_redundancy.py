"""Chunks that only mention an entity whose own document comes first."""

from dataclasses import replace

import pytest

from interlace.search.candidates import Candidate, FusedCandidate, Step
from interlace.search.confidence import Confidence
from interlace.search.profile import PROFILE
from interlace.search.redundancy import redundant
from interlace.search.rerank import RerankEvidence, rank
from interlace.search.seeds import SeedMatch
from interlace.search.weights import FusionWeights

SIEGE = SeedMatch("siege (1761)", 30, 45, 2, title=True)
NAMESAKE = SeedMatch("siege", 30, 45, 3)
COUNT = SeedMatch("count", 50, 60, 2)


def direct(chunk: str, entity: str, *, subjects: tuple[str, ...] = (), mentions: tuple[str, ...] = ()) -> Candidate:
    path = (Step("entity", entity), Step("chunk", chunk))
    return Candidate(chunk, 0.1, path, frozenset(subjects), frozenset((*subjects, *mentions)))


ARTICLE = direct("article", "siege (1761)", subjects=("siege (1761)",), mentions=("kassel", "battle"))
DIARY = direct("diary", "siege (1761)")
BATTLE = direct("battle", "siege (1761)", subjects=("battle",))
OTHER_SIEGE = direct("other", "siege", subjects=("battle",))
TOWN = Candidate("town", 0.1, (*ARTICLE.path, Step("entity", "kassel"), Step("chunk", "town")))
PERSON = direct("person", "count")
REACHED = {each.id: each for each in (ARTICLE, DIARY, BATTLE, OTHER_SIEGE, TOWN, PERSON)}
SCORED = {**REACHED, "article": replace(ARTICLE, score=0.5), "diary": replace(DIARY, score=0.3)}
FUSED = [FusedCandidate(each, 0.02, {}) for each in ("article", "diary", "town")]
ALL = [SIEGE, NAMESAKE, COUNT]


def test_what_only_mentions_the_entity_of_the_first_document_or_a_namesake_is_redundant() -> None:
    assert redundant(["article", "diary", "battle", "other", "town", "person", "text"], REACHED, ALL) == [
        "diary",
        "other",
    ]


@pytest.mark.parametrize("first", ["diary", "town", "text"])
def test_nothing_is_redundant_where_the_first_document_is_not_about_an_entity_of_the_question(first: str) -> None:
    assert redundant([first, "article", "diary"], REACHED, ALL) == []


def test_another_document_about_the_same_words_is_not_redundant() -> None:
    namesake = direct("namesake", "siege", subjects=("siege",))
    assert redundant(["article", "namesake"], {**REACHED, "namesake": namesake}, ALL) == []


def test_any_document_about_the_entity_may_lead_on() -> None:
    lists = direct("list", "siege (1761)", subjects=("siege (1761)",), mentions=("diary",))
    diary = direct("diary", "siege (1761)", subjects=("diary",))
    assert redundant(["article", "diary"], {**REACHED, "diary": diary}, ALL) == ["diary"]
    assert redundant(["article", "list", "diary"], {**REACHED, "diary": diary, "list": lists}, ALL) == []


def test_a_chunk_that_ties_two_entities_of_the_question_is_not_redundant() -> None:
    both = direct("both", "siege (1761)", mentions=("siege (1761)", "count"))
    assert redundant(["article", "both"], {**REACHED, "both": both}, [SIEGE, NAMESAKE]) == ["both"]
    assert redundant(["article", "both"], {**REACHED, "both": both}, ALL) == []


def test_an_empty_list_has_no_redundant_candidate() -> None:
    assert redundant([], REACHED, ALL) == []


@pytest.mark.parametrize(
    ("without", "trust", "penalty"),
    [
        (frozenset(), 1.0, 1.5),
        (frozenset(), 0.5, 0.75),
        (frozenset({"trust"}), 0.5, 1.5),
        (frozenset({"redundancy"}), 1.0, 0),
    ],
)
def test_redundant_candidates_lose_by_the_trust_in_the_graph(
    without: frozenset[str], trust: float, penalty: float
) -> None:
    assert PROFILE.rerank.redundancy == 1.5
    evidence = RerankEvidence(
        FusionWeights(legs={"graph": 1.0}, without=without),  # type: ignore[arg-type]
        Confidence(1.0, 0.3, trust),
        {},
        reached=SCORED,
        matches=ALL,
    )
    found = {each.id: each.features.boosts.get("redundancy", 0.0) for each in rank(FUSED, evidence)}
    assert found == {"article": 0.0, "diary": -penalty, "town": 0.0}


def test_the_penalty_moves_the_chunk_that_leads_on_to_the_second_place() -> None:
    evidence = RerankEvidence(FusionWeights(legs={"graph": 1.0}), Confidence(1.0, 0.1), {}, reached=SCORED, matches=ALL)
    assert [each.id for each in rank(FUSED, evidence)] == ["article", "town", "diary"]
