"""Languages: recognised by script and function words; English is never guessed away; keyword recall in two languages besides it."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest

from interlace.text.bm25 import chunk_terms, query_terms
from interlace.text.languages import declared_language, detect_language, question_languages
from interlace.text.tokenizer import content_words, terms, terms_in, tokens

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The mill on the brook was restored by the people of the village.", "en"),
        ("Die Mühle am Bach wurde von den Bewohnern des Dorfes restauriert.", "de"),
        ("Le moulin du ruisseau a été restauré par les habitants du village.", "fr"),
        ("El molino del arroyo fue restaurado por los vecinos del pueblo.", "es"),
        ("Il mulino sul ruscello è stato restaurato dagli abitanti e anche dalla scuola del paese.", "it"),
        ("O moinho do ribeiro foi restaurado pelos habitantes, mas não pela câmara.", "pt"),
        ("De molen aan de beek werd door de bewoners van het dorp gerestaureerd, maar niet voor het feest.", "nl"),
        (
            "Młyn nad potokiem został odnowiony przez mieszkańców wsi, ale nie jest czynny, bo go nie ma kto prowadzić.",
            "pl",
        ),
        ("Мельница у ручья была восстановлена жителями деревни.", "ru"),
        ("Млин біля струмка відновили мешканці села.", "uk"),
        ("村民们修复了小溪旁的老水磨坊。", "zh"),
        ("村人たちは古い水車小屋を修理しました。", "ja"),
        ("방앗간은 주민들이 복원했습니다.", "ko"),
        ("El Camino de Santiago; La Paz", ""),
        ("AC/DC la la la", ""),
        (
            "2026-03-02T08:14:02.113Z INFO [main] c.s.gateway.Application - Started\n2026-03-02T08:14:09.441Z WARN [pool-2-t] d.l.m.Upstream - refused",
            "",
        ),
        ("Christian E. Christiansen (b. 14 December 1972), a.k.a. M. M. Gryshko, Jr.", ""),
        ("« L'eau n'a pas d'odeur », dit-il, mais il y a d'autres raisons.", "fr"),
        ("Londres é a maior cidade do Reino Unido, e não a única.", "pt"),
        ("{'a': 1, 'e': 2, 'i': 3, 'o': 4}, la x = e + i, la y = a + o, e, i, a, o", ""),
        ("1911, 1912", ""),
        ("Jean-Pierre de Keyser is a retired footballer.", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_english_with_words_that_are_function_words_elsewhere_is_english() -> None:
    assert detect_language("The die was cast in Den Haag, and so the man was in the war on all sides.") == "en"
    assert question_languages("Who was the man in the war?") == ()


def test_a_long_text_is_recognised_by_its_samples() -> None:
    assert (
        detect_language("1 2 3 " * 400 + "Die Mühle am Bach wurde von den Bewohnern des Dorfes restauriert. " * 400)
        == "de"
    )


def test_declared_languages() -> None:
    assert [declared_language(value) for value in ("de-AT", "EN_us", "x", 3, None)] == ["de", "en", "", "", ""]


def test_english_terms_are_as_they_were() -> None:
    text = "Directors directed the café's naïve films in 1911"
    assert terms(text) == ["director", "direct", "cafe", "naiv", "film", "1911"]
    assert chunk_terms(text, "en") == chunk_terms(text)
    assert set(query_terms("Who directed the films?")[0]) == set(chunk_terms("directed films")[0])


def test_words_have_a_term_and_a_stem_of_their_language() -> None:
    assert terms_in("Die Häuser der Stadt", "de") == ["hauser", "de:haus", "stadt", "de:stadt"]
    assert set(query_terms("Wo ist das Haus und wer wohnt dort?")[0]) & set(chunk_terms("die Häuser", "de")[0])


def test_stems_of_other_languages_meet_no_english_text() -> None:
    english = set(chunk_terms("Museo de Madrid", "")[0])
    assert english & set(query_terms("Museo de Madrid")[0]) == english


def test_korean_words_are_pairs_of_syllables_because_particles_are_written_onto_them() -> None:
    assert terms("서울에서 Tower") == ["서울", "울에", "에서", "tower"]
    assert set(terms("서울")) <= set(terms("서울에서")) & set(terms("서울은"))


def test_ideographs_are_words_one_by_one_for_names_and_pairs_for_searches() -> None:
    assert [token.form for token in tokens("東京タワーTower2")] == ["東", "京", "タ", "ワ", "ー", "tower2"]
    assert terms("東京タワーTower") == ["東京", "京タ", "タワ", "ワー", "tower"]
    assert terms("犬") == ["犬"]


def test_function_words_of_a_questions_language_say_nothing() -> None:
    assert content_words("Was ist die Hauptstadt der Schweiz?") == ("hauptstadt", "schweiz")


@pytest.mark.parametrize(("language", "before"), [("de", 12), ("fr", 15)])
def test_keyword_recall(language: str, before: int) -> None:
    """``before``: questions whose document came first with the English stemmer alone."""
    collection = json.loads((FIXTURES / f"{language}.json").read_text(encoding="utf-8"))
    documents = {
        name: dict(zip(*chunk_terms(f"{name}\n{text}", detect_language(text)), strict=True))
        for name, text in collection["documents"].items()
    }
    frequency = Counter(term for weights in documents.values() for term in weights)
    first = 0
    for question, wanted in collection["questions"].items():
        scores = {
            name: sum(
                math.log(1 + (len(documents) - frequency[term] + 0.5) / (frequency[term] + 0.5)) * weights[term]
                for term in query_terms(question)[0]
                if term in weights
            )
            for name, weights in documents.items()
        }
        first += max(scores, key=lambda name: scores[name]) == wanted
    assert first == len(collection["questions"])
    assert first >= before
