"""Laws of fusion that hold for any lists."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.support.ranking import fuse

from interlace.search.candidates import Candidate
from interlace.search.confidence import Confidence
from interlace.search.fuse import reciprocal_ranks
from interlace.search.proximity import ChunkLinks
from interlace.search.rerank import RerankEvidence
from interlace.search.weights import FusionWeights

CHUNKS = st.sampled_from([f"c{number}" for number in range(12)])
RANKED = st.lists(CHUNKS, unique=True, max_size=10).map(
    lambda chunks: [Candidate(chunk, 1 / rank) for rank, chunk in enumerate(chunks, 1)]
)
LEGS = st.dictionaries(st.sampled_from(["vector", "keyword", "graph", "tags"]), RANKED, max_size=4)
WEIGHTS = {"vector": 0.3, "keyword": 0.3, "graph": 0.25, "tags": 0.25}
EVIDENCE = RerankEvidence(
    FusionWeights(legs=WEIGHTS), Confidence(0.8, 0.1), {f"c{number}": number / 12 for number in range(9)}
)


@given(LEGS, st.randoms(use_true_random=False))
def test_the_order_of_legs_does_not_matter(legs: dict[str, list[Candidate]], chance: object) -> None:
    names = list(legs)
    chance.shuffle(names)  # type: ignore[attr-defined]
    shuffled = {name: legs[name] for name in names}
    assert reciprocal_ranks(shuffled, WEIGHTS) == reciprocal_ranks(legs, WEIGHTS)
    assert fuse(EVIDENCE, shuffled) == fuse(EVIDENCE, legs)


@given(LEGS)
def test_silent_legs_change_nothing(legs: dict[str, list[Candidate]]) -> None:
    expected = fuse(EVIDENCE, legs)
    assert fuse(EVIDENCE, {**legs, "community": []}) == expected
    assert fuse(EVIDENCE, {**legs, "unweighted": [Candidate("c0", 1.0)]}) == expected


@given(LEGS, st.sampled_from(sorted(WEIGHTS)), st.integers(1, 9))
def test_a_better_rank_never_hurts(legs: dict[str, list[Candidate]], leg: str, place: int) -> None:
    hits = legs.get(leg, [])
    if place >= len(hits):
        return
    risen = hits[place].id
    moved = [*hits[: place - 1], hits[place], hits[place - 1], *hits[place + 1 :]]
    before = [hit.id for hit in reciprocal_ranks(legs, WEIGHTS)].index(risen)
    after = [hit.id for hit in reciprocal_ranks({**legs, leg: moved}, WEIGHTS)].index(risen)
    assert after <= before


@given(LEGS)
def test_every_hit_appears_once_best_first_with_ties_by_id(legs: dict[str, list[Candidate]]) -> None:
    listed = reciprocal_ranks(legs, WEIGHTS)
    assert sorted(hit.id for hit in listed) == sorted({hit.id for hits in legs.values() for hit in hits})
    assert listed == sorted(listed, key=lambda hit: (-hit.score, hit.id))
    final = fuse(EVIDENCE, legs)
    assert sorted(hit.id for hit in final) == sorted(hit.id for hit in listed)
    assert final == sorted(final, key=lambda hit: (-hit.features.score, hit.id))


@given(RANKED)
def test_one_leg_alone_keeps_its_order(hits: list[Candidate]) -> None:
    evidence = RerankEvidence(FusionWeights(legs=WEIGHTS), Confidence(1.0, 0.05), {})
    assert [hit.id for hit in fuse(evidence, {"vector": hits})] == [hit.id for hit in hits]
    assert [hit.id for hit in fuse(evidence, {"graph": hits})] == [hit.id for hit in hits]


# Twelve chunks of six documents, and any links among those and two that are no hit.
DOCUMENTS = {f"c{number}": f"d{number % 6}" for number in range(12)}
PAIRS = st.frozensets(
    st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda ends: ends[0] < ends[1]), max_size=10
).map(lambda pairs: frozenset((f"d{one}", f"d{other}") for one, other in pairs))
SCALE = st.floats(0, 150)


@given(LEGS, SCALE)
def test_links_that_lead_to_no_hit_change_nothing(legs: dict[str, list[Candidate]], scale: float) -> None:
    away = ChunkLinks(DOCUMENTS, frozenset({("d0", "d6"), ("d3", "d7"), ("d6", "d7")}))
    assert fuse(replace(EVIDENCE, links=away, link_scale=scale), legs) == fuse(EVIDENCE, legs)


@given(LEGS, PAIRS, SCALE)
def test_a_link_never_takes_from_a_chunk_and_gives_more_the_better_the_hit(
    legs: dict[str, list[Candidate]], pairs: frozenset[tuple[str, str]], scale: float
) -> None:
    before = [hit.id for hit in fuse(EVIDENCE, legs)]
    after = fuse(replace(EVIDENCE, links=ChunkLinks(DOCUMENTS, pairs), link_scale=scale), legs)
    linked = {hit.id: hit for hit in after if hit.linked}
    for hit in after:
        assert hit.features.proximity >= 0
        assert hit.linked or hit.features.proximity == 0
    for hit in linked.values():
        assert hit.linked
        assert tuple(sorted((DOCUMENTS[hit.id], DOCUMENTS[hit.linked.id]))) in pairs
        assert hit.linked.nearness == 1 / (before.index(hit.linked.id) + 1)
    nearest = sorted(linked.values(), key=lambda hit: -hit.linked.nearness if hit.linked else 0)
    gains = [hit.features.proximity for hit in nearest]
    assert gains == sorted(gains, reverse=True)
    unlinked = [hit.id for hit in after if not hit.linked]
    assert unlinked == [chunk for chunk in before if chunk in set(unlinked)]
