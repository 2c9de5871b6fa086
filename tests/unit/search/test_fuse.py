"""Fusion and rerank: what decides a chunk's place, and what is kept to explain it."""

from dataclasses import replace

import pytest
from tests.support.ranking import fuse

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import Signal
from interlace.search.candidates import Candidate, Features, RankedCandidate
from interlace.search.confidence import Confidence, meaning
from interlace.search.fuse import pool, reciprocal_ranks
from interlace.search.profile import PROFILE
from interlace.search.rerank import RerankEvidence
from interlace.search.scoring import Scales, blended, rerank_features, unlinked_features
from interlace.search.seeds import SeedMatch
from interlace.search.weights import FusionWeights

LEGS = {"vector": 0.3, "keyword": 0.3, "graph": 0.25}


def hits(*chunks: str) -> list[Candidate]:
    return [Candidate(chunk, 1 / rank) for rank, chunk in enumerate(chunks, 1)]


def fused(
    legs: dict[str, list[Candidate]], *, similarity: dict[str, float] | None = None, fused_weight: float = 0.05
) -> list[RankedCandidate]:
    evidence = RerankEvidence(FusionWeights(legs=LEGS), Confidence(1.0, fused_weight), similarity or {})
    return fuse(evidence, legs)


def test_pagerank_outranks_lists_that_do_not_know_the_chain() -> None:
    legs = {
        "vector": hits("seed", "namesake", "other"),
        "keyword": hits("namesake", "seed"),
        "graph": hits("seed", "bridge"),
    }
    assert [hit.id for hit in fused(legs)][:2] == ["seed", "bridge"]


def test_similarity_to_the_residual_query_decides_between_equals() -> None:
    graph = [Candidate("a", 0.1), Candidate("b", 0.1), Candidate("c", 0.1)]
    assert [hit.id for hit in fused({"graph": graph}, similarity={"a": 0.4, "b": 0.5, "c": 0.7})] == ["c", "b", "a"]


def test_what_pagerank_did_not_reach_keeps_the_order_of_the_lists() -> None:
    order = [hit.id for hit in fused({"vector": hits("x", "y", "z"), "keyword": hits("x", "z")})]
    assert order == ["x", "z", "y"]


def test_scores_are_probabilities_and_legs_are_kept() -> None:
    found = fused({"vector": hits("a", "b"), "graph": hits("b")}, similarity={"a": 0.5, "b": 0.6})
    assert sum(hit.score for hit in found) == pytest.approx(1)
    assert found == sorted(found, key=lambda hit: -hit.score)
    b = next(hit for hit in found if hit.id == "b")
    assert b.legs["vector"].rank == 2
    assert b.legs["vector"].share == pytest.approx(0.3 / 62)
    assert b.figures["rrf"] == pytest.approx(0.3 / 62 + 0.25 / 61)
    assert b.features.score == b.features.graph + b.features.similarity


def test_an_unsure_graph_has_less_of_a_vote_in_the_lists() -> None:
    legs = {"graph": hits("a"), "vector": hits("b")}
    unsure = fuse(RerankEvidence(FusionWeights(legs=LEGS), Confidence(0.5, 0.3), {}), legs)
    assert {hit.id: hit.legs[leg].weight for hit in unsure for leg in hit.legs} == {"a": 0.125, "b": 0.3}


def test_a_graph_of_weight_zero_changes_nothing() -> None:
    evidence = RerankEvidence(FusionWeights(legs={**LEGS, "graph": 0.0}), Confidence(1.0, 0.05), {})
    legs = {"vector": hits("a", "b")}
    assert fuse(evidence, {**legs, "graph": hits("b")}) == fuse(evidence, legs)


def test_what_is_left_out_does_not_count() -> None:
    legs = {"vector": hits("a", "b"), "graph": hits("b", "a")}
    similarity = {"a": 0.1, "b": 0.9}

    def order(*without: Signal) -> list[RankedCandidate]:
        weights = FusionWeights(legs=LEGS, without=frozenset(without))
        return fuse(RerankEvidence(weights, Confidence(1.0, 0.05), similarity), legs)

    assert all("graph" not in hit.legs for hit in order("graph"))
    assert all(hit.features.similarity == 0 for hit in order("similarity"))
    by_list = {hit.id: hit.features.graph for hit in order("graph_rerank")}
    assert by_list["a"] > by_list["b"], "the list alone ranks the chunk that the heavier leg puts first"
    with pytest.raises(InvalidInputError, match=r"'gravity'.*similarity"):
        FusionWeights(without=frozenset({"gravity"}))  # type: ignore[arg-type]


def test_no_legs_give_no_hits() -> None:
    assert fused({}) == []
    assert fused({"vector": []}) == []


def test_a_chunk_named_twice_counts_once_at_its_better_rank() -> None:
    listed = reciprocal_ranks({"vector": hits("a", "b", "a", "c")}, {"vector": 1.0})
    assert {hit.id: hit.legs["vector"].rank for hit in listed} == {"a": 1, "b": 2, "c": 3}


def test_the_pool_alternates_between_legs() -> None:
    assert pool({"vector": hits("a", "b", "c"), "graph": hits("x", "a", "y")}, 4) == ["a", "x", "b", "c"]


def test_unknown_similarity_counts_as_the_lowest() -> None:
    scores = rerank_features({"a": 1.0, "b": 1.0, "c": 1.0}, {}, {"a": 0.3, "b": 0.9}, fused_weight=0.1)
    assert scores["c"].similarity == scores["a"].similarity < scores["b"].similarity


def test_scales_turn_the_terms_up_and_down() -> None:
    pagerank, similarity = {"a": 0.9, "b": 0.1}, {"a": 0.2, "b": 0.8}
    both = {"a": 1.0, "b": 1.0}
    by_graph = rerank_features(both, pagerank, similarity, fused_weight=0.05, scales=Scales(similarity=0.0))
    by_text = rerank_features(both, pagerank, similarity, fused_weight=0.05, scales=Scales(graph=0.0))
    assert by_graph["a"].score > by_graph["b"].score
    assert by_text["a"].score < by_text["b"].score


def test_the_text_decides_where_the_graph_has_no_trust() -> None:
    """PageRank from people who are in every chat favours "hub"; the words favour "said"."""
    legs = {"keyword": hits("said", "hub", "other"), "graph": hits("hub", "other", "said")}
    bm25 = {"said": 12.0, "hub": 5.0, "other": 4.0}

    def first(trust: float, *without: Signal) -> str:
        weights = FusionWeights(legs=LEGS, without=frozenset(without))
        return fuse(RerankEvidence(weights, Confidence(1.0, 0.1, trust), {}, keyword=bm25), legs)[0].id

    assert first(1.0) == "hub"
    assert first(0.0) == "said"
    assert first(0.0, "trust") == "hub"


def test_without_keyword_scores_nothing_takes_the_place_of_the_graph() -> None:
    legs = {"vector": hits("a", "b"), "graph": hits("b", "a")}
    trusted, doubted = (
        fuse(RerankEvidence(FusionWeights(legs=LEGS), Confidence(1.0, 0.1, trust), {"a": 0.2, "b": 0.3}), legs)
        for trust in (1.0, 0.0)
    )
    assert trusted == doubted


def test_pagerank_from_no_entity_has_no_vote() -> None:
    legs = {"keyword": hits("a", "b"), "graph": hits("b", "a")}
    evidence = RerankEvidence(
        FusionWeights(legs=LEGS), Confidence(0.75, 0.2, 0.0), {}, keyword={"a": 3.0, "b": 3.0}, linked=False
    )
    assert all("pagerank" not in hit.figures for hit in fuse(evidence, legs))


def test_a_leg_without_a_weight_counts_nothing() -> None:
    legs = {"vector": hits("a", "b"), "unheard": hits("c", "b")}
    found = reciprocal_ranks(legs, {"vector": 0.3})
    assert [(hit.id, sorted(hit.legs)) for hit in found] == [("a", ["vector"]), ("b", ["vector"])]
    assert reciprocal_ranks(legs, {"vector": 0.3, "unheard": 0.0}) == found


def test_the_keyword_legs_first_gains_by_how_far_it_stands_out_and_more_where_the_graph_is_not_trusted() -> None:
    listed = dict.fromkeys("abcdefgh", 1.0)

    def gain(keyword: dict[str, float], trust: float = 1.0) -> dict[str, float]:
        found = rerank_features(listed, {}, {}, keyword, fused_weight=0.1, trust=trust)
        return {each: terms.keyword for each, terms in found.items()}

    lower = dict.fromkeys("cdefgh", 4.0)
    near, far = gain({**lower, "b": 19.0, "a": 20.0}), gain({**lower, "b": 5.0, "a": 20.0})
    assert far["a"] > near["a"] > 0
    assert all(gained == 0 for each, gained in far.items() if each != "a"), "the others keep their places"
    assert gain(dict.fromkeys("abcdefgh", 5.0)) == dict.fromkeys("abcdefgh", 0.0), "nothing stands out among equals"
    doubted = gain({**lower, "b": 5.0, "a": 20.0}, trust=0.0)
    assert doubted["a"] - doubted["b"] > 3 * (far["a"] - far["b"])


def unlinked(
    keyword: dict[str, float], similarity: dict[str, float], documents: dict[str, str] | None = None
) -> list[RankedCandidate]:
    """Rank by a question without an entity; the lists say nothing."""
    legs = {"keyword": [Candidate(each, 1.0) for each in sorted(keyword)]}
    evidence = RerankEvidence(
        FusionWeights(legs={"keyword": 0.001}),
        Confidence(0.75, 0.2, 0.0),
        similarity,
        keyword=keyword,
        documents=documents or {},
        linked=False,
    )
    return fuse(evidence, legs)


def test_one_chunk_that_repeats_the_words_does_not_outdo_what_the_question_means() -> None:
    keyword = {"repeats": 30.0, "means": 6.0, **{f"o{at}": 5.0 for at in range(20)}}
    similarity = {"repeats": 0.50, "means": 0.90, **{f"o{at}": 0.52 for at in range(20)}}
    assert unlinked(keyword, similarity)[0].id == "means"


def test_a_chunk_gains_by_what_else_its_document_says_about_the_question() -> None:
    similarity = {"a1": 0.80, "a2": 0.79, "b1": 0.80, "c1": 0.30, "c2": 0.30}
    keyword = dict.fromkeys(similarity, 1.0)
    documents = {each: each[0] for each in similarity}
    by_id = {each.id: each.features.document for each in unlinked(keyword, similarity, documents)}
    assert by_id["a1"] == by_id["a2"] > by_id["b1"] > by_id["c1"] == 0
    alone = {each.id: each.features.document for each in unlinked(keyword, similarity)}
    assert set(alone.values()) == {0.0}


def test_the_nearest_to_the_whole_question_gains_by_how_far_it_stands_out() -> None:
    listed = dict.fromkeys("abcdefgh", 1.0)

    def gain(whole: dict[str, float]) -> dict[str, float]:
        found = rerank_features(listed, {}, {}, {}, whole, fused_weight=0.1)
        return {each: terms.similarity for each, terms in found.items()}

    lower = dict.fromkeys("cdefgh", 0.5)
    near, far = gain({**lower, "b": 0.79, "a": 0.8}), gain({**lower, "b": 0.52, "a": 0.8})
    assert far["a"] > near["a"] > 0
    assert all(gained == 0 for each, gained in far.items() if each != "a"), "the others keep their places"


def test_without_an_entity_the_nearest_and_the_first_by_words_gain_by_how_far_they_stand_out_too() -> None:
    listed = dict.fromkeys("abcdefgh", 1.0)
    no_margins = replace(PROFILE.rerank, margin=0.0, margin_vector_unlinked=0.0)

    def gain(similarity: dict[str, float], keyword: dict[str, float]) -> dict[str, float]:
        with_margins, without = (
            unlinked_features(listed, similarity, keyword, profile=each) for each in (PROFILE.rerank, no_margins)
        )
        return {each: with_margins[each].score - without[each].score for each in listed}

    cosines, words = dict.fromkeys("cdefgh", 0.5), dict.fromkeys("abcdef", 4.0)
    near = gain({**cosines, "b": 0.79, "a": 0.8}, {**words, "g": 19.0, "h": 20.0})
    far = gain({**cosines, "b": 0.52, "a": 0.8}, {**words, "g": 5.0, "h": 20.0})
    assert far["a"] > near["a"] > 0
    assert far["h"] > near["h"] > 0
    assert [far[each] for each in "bcdefg"] == pytest.approx([0.0] * 6), "the others keep their places"


def test_where_the_graph_is_doubted_and_a_chunk_means_what_is_asked_meaning_outdoes_words() -> None:
    whole = {"repeats": 0.60, "means": 0.85, **{f"o{at}": 0.62 for at in range(20)}}
    keyword = {"repeats": 30.0, "means": 6.0, **{f"o{at}": 5.0 for at in range(20)}}
    legs = {"keyword": [Candidate(each, 1.0) for each in sorted(keyword)]}

    def first(share: float) -> str:
        weights = FusionWeights(legs={"keyword": 0.001})
        evidence = RerankEvidence(weights, Confidence(0.75, 0.2, 0.0, share), dict.fromkeys(whole, 0.5), whole, keyword)
        return fuse(evidence, legs)[0].id

    assert first(1.0) == "means"
    assert first(0.0) == "repeats"
    both = [blended_score(share) for share in (0.0, 0.5, 1.0)]
    assert both[1] == pytest.approx((both[0] + both[2]) / 2), "the two sums are blended linearly"


def test_where_the_graph_is_trusted_a_chunk_that_means_what_is_asked_has_a_share_too() -> None:
    def share(trust: float, known: float, *, title: bool = True) -> float:
        weights = FusionWeights(legs={"keyword": 0.001})
        asked = [SeedMatch("e", 0, 4, 3, title)]
        evidence = RerankEvidence(weights, Confidence(0.75, 0.2, trust, known), {}, keyword={"a": 1.0}, matches=asked)
        return evidence.by_text(PROFILE.rerank)

    assert share(0.0, 1.0) == 1.0
    assert share(1.0, 1.0) == pytest.approx(PROFILE.rerank.meaning_trusted)
    assert share(1.0, 1.0, title=False) == pytest.approx(PROFILE.rerank.meaning_untitled), "no page leads on"
    assert share(1.0, 0.5) < share(1.0, 1.0) / 2, "half a meaning says less than half of it"
    assert share(1.0, 0.0) == 0.0


def blended_score(share: float) -> float:
    """Return the score of a candidate between two sums."""
    one, other = {"a": Features(1.0, 2.0, keyword=3.0)}, {"a": Features(0.5, 1.0, keyword=0.2, document=0.3)}
    return blended(one, other, share)["a"].score


def test_the_best_cosine_says_how_far_meaning_counts_with_a_model_whose_cosines_are_known() -> None:
    known = "bge-small-en-v1.5"
    found = [meaning({"a": best, "b": 0.1}, known, PROFILE.rerank) for best in (0.6, 0.75, 0.9)]
    assert found == pytest.approx([0.0, 0.5, 1.0])
    assert meaning({}, known, PROFILE.rerank) == 0.0
    assert meaning({"a": 0.9}, "another", PROFILE.rerank) == 0.0
