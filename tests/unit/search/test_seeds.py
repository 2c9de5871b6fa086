"""Which entities of a question are seeds, and what its residual query is."""

import math

import pytest

from interlace.search.confidence import assess, name_coverage
from interlace.search.profile import PROFILE
from interlace.search.seeds import SeedMatch, find_seeds, first_stage, unlinked_spans


def match(question: str, name: str, *, entity: str = "", degree: int = 2, title: bool = False) -> SeedMatch:
    start = question.index(name)
    return SeedMatch(entity or name, start, start + len(name), degree, title)


def test_rarer_names_weigh_more() -> None:
    question = "Where did the composer of Silent Harbour study in France?"
    seeds = find_seeds(
        question,
        [match(question, "France", degree=50), match(question, "Silent Harbour", degree=1)],
        total_chunks=100,
    )
    assert seeds.weights == {"Silent Harbour": math.log(101), "France": math.log(3)}
    assert seeds.residual == "Where did the composer of study in ?"
    assert seeds.residual_terms == ("composer", "study")


def test_names_no_one_mentions_are_no_seeds() -> None:
    question = "Who founded Halvorsen Yard?"
    seeds = find_seeds(question, [match(question, "Halvorsen Yard", degree=0)], total_chunks=10)
    assert not seeds.weights
    assert seeds.residual == question


def test_lower_case_phrases_give_way_to_names_unless_a_document_is_about_them() -> None:
    question = "Which region is the city of Mira Okafor in?"
    phrase = match(question, "city of")
    name = match(question, "Mira Okafor")
    assert set(find_seeds(question, [phrase, name], total_chunks=10).weights) == {"Mira Okafor"}
    assert set(find_seeds(question, [phrase], total_chunks=10).weights) == {"city of"}
    about = match(question, "city of", title=True)
    assert set(find_seeds(question, [about, name], total_chunks=10).weights) == {"city of", "Mira Okafor"}


@pytest.mark.parametrize(
    ("question", "known", "names"),
    [
        ("Set a timeout", ["Set"], []),
        ("- Track my hours", ["Track"], []),
        ("1. Set a timeout\n2. Run the tests", ["Set", "Run"], []),
        ("The build hangs. Stop it", ["Stop"], []),
        ("Wie setze ich das Limit?", ["Wie", "Limit"], ["Limit"]),
        ("Install Debian on it", ["Install", "Debian"], ["Debian"]),
        ("Halvorsen was founded by whom?", ["Halvorsen"], ["Halvorsen"]),
        ("Halvorsen's founder", ["Halvorsen"], ["Halvorsen"]),
        ("Halvorsen and Okafor: who came first?", ["Halvorsen"], ["Halvorsen"]),
        ("Halvorsen Yard: who owns it?", ["Halvorsen"], ["Halvorsen"]),
        ("Halvorsen?", ["Halvorsen"], ["Halvorsen"]),
        ("Halvorsen, rye flour and a winch?", ["Halvorsen"], ["Halvorsen"]),
        ("GPU memory", ["GPU"], ["GPU"]),
        ("Did Dr. Halvorsen sail?", ["Halvorsen"], ["Halvorsen"]),
        ("Who is Halvorsen?", ["Halvorsen"], ["Halvorsen"]),
    ],
)
def test_a_word_that_is_capitalised_for_its_place_is_no_name(question: str, known: list[str], names: list[str]) -> None:
    found = [match(question, name) for name in known]
    assert list(find_seeds(question, found, total_chunks=10).weights) == names


def test_a_phrase_that_begins_a_sentence_is_in_lower_case() -> None:
    question = "Access tokens of Mira Okafor"
    phrase, name = match(question, "Access tokens"), match(question, "Mira Okafor")
    assert set(find_seeds(question, [phrase, name], total_chunks=10).weights) == {"Mira Okafor"}


def test_possessives_and_quotes_go_with_the_name() -> None:
    question = 'Who is the mother of "Silent Harbour"\'s director?'
    assert find_seeds(question, [match(question, "Silent Harbour")], total_chunks=9).residual == (
        "Who is the mother of director?"
    )


def test_a_question_that_is_all_names_remains_whole() -> None:
    question = "Silent Harbour?"
    assert find_seeds(question, [match(question, "Silent Harbour")], total_chunks=9).residual == question


def test_entities_that_share_a_span_all_start() -> None:
    question = "When was Mercury found?"
    seeds = find_seeds(
        question,
        [match(question, "Mercury", entity="god"), match(question, "Mercury", entity="planet")],
        total_chunks=9,
    )
    assert set(seeds.weights) == {"god", "planet"}
    assert seeds.residual_terms == ("found",)


@pytest.mark.parametrize(
    ("question", "known", "unknown"),
    [
        ("Who directed Halvorsen Yard?", "", ["Halvorsen Yard"]),
        ("Who directed Halvorsen Yard?", "Halvorsen Yard", []),
        ("Who directed Halvorsen Yard?", "Halvorsen", ["Halvorsen Yard"]),
        ("When was the Battle of the Reeds fought in Mira?", "Mira", ["Battle of the Reeds"]),
        ("Did Mira ever sail?", "", []),
        ("where is the yard?", "", []),
    ],
)
def test_names_the_linker_does_not_know(question: str, known: str, unknown: list[str]) -> None:
    matches = [match(question, known)] if known else []
    assert [question[start:end] for start, end in unlinked_spans(question, matches)] == unknown


def test_first_stage_takes_five_of_each_list() -> None:
    assert first_stage(["a", "b", "c", "d", "e", "f"], ["b"], limit=5) == pytest.approx(
        {"a": 1, "b": 1.5, "c": 1 / 3, "d": 1 / 4, "e": 1 / 5}
    )


def test_coverage_counts_capitalised_words_after_the_first() -> None:
    question = "Did Mira Okafor ever visit Halvorsen Yard?"
    seeds = find_seeds(question, [match(question, "Mira Okafor")], total_chunks=9)
    assert name_coverage(question, seeds) == 0.5
    nothing = find_seeds("how are boats built?", [], total_chunks=9)
    assert name_coverage("how are boats built?", nothing) == 0.5
    assert (
        assess(question, seeds, PROFILE.rerank).fused
        > assess(
            "Who is Mira Okafor?",
            find_seeds("Who is Mira Okafor?", [SeedMatch("m", 7, 18, 1)], total_chunks=9),
            PROFILE.rerank,
        ).fused
    )


def test_trust_follows_the_most_specific_entity() -> None:
    assert _trust() == 0.0
    assert _trust(900) == _trust(900, 2000) == 0.0
    assert _trust(2) == _trust(2, 900) == 1.0
    assert 0 < _trust(100) < 1
    assert _trust(50) >= _trust(100) >= _trust(200)


def test_trust_follows_the_share_of_the_chunks_however_many_there_are() -> None:
    assert _trust(2, total=200) == pytest.approx(_trust(200, total=20_000))


def test_a_few_mentions_are_trusted_in_a_small_corpus() -> None:
    assert _trust(2, total=8) == 1.0
    assert _trust(7, total=55, title=True) > _trust(14, total=110, title=True), "the same share of more chunks"
    assert _trust(0, total=0) == 0.0


def test_an_entity_that_no_document_is_about_is_trusted_less() -> None:
    assert 0 < _trust(50) < _trust(50, title=True) == 1.0
    assert _trust(300) == 0.0 < _trust(300, title=True) < 1.0
    assert _trust(1) == _trust(1, title=True) == 1.0


def _trust(*degrees: int, title: bool = False, total: int = 10_000) -> float:
    found = [SeedMatch(f"e{at}", at, at + 1, degree, title) for at, degree in enumerate(degrees)]
    return assess("Xyz", find_seeds("Xyz", found, total_chunks=total), PROFILE.rerank).trust


def test_trust_falls_to_a_half_as_fewer_of_the_names_are_linked() -> None:
    def trust(question: str, *linked: str) -> float:
        seeds = find_seeds(question, [match(question, name) for name in linked], total_chunks=10_000)
        return assess(question, seeds, PROFILE.rerank).trust

    headline = "EC: INDIA BUYS VEGETABLE OILS"
    assert trust(headline, "EC") == 0.5
    assert (
        0.5 < trust(headline, "INDIA") < trust(headline, "INDIA BUYS") < trust(headline, "INDIA BUYS VEGETABLE") == 1.0
    )
    assert trust("how did mira build boats?", "mira") == 1.0


def test_where_nothing_is_compared_trust_rises_with_the_share_of_the_words_that_are_linked() -> None:
    def trust(question: str, *, compared: bool = False) -> float:
        seeds = find_seeds(question, [match(question, "Wilcoxon")], total_chunks=10_000)
        return assess(question, seeds, PROFILE.rerank, compared=compared).trust

    question = "calculate the Wilcoxon signed rank test statistic of two related paired samples"
    assert trust(question) == 0.0
    assert 0 < trust("calculate the Wilcoxon signed rank test") < 1
    assert trust("who was Wilcoxon?") == trust(question, compared=True) == 1.0
