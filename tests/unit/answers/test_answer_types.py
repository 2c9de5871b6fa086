"""Answer types: what a question asks for, and which sentences name it."""

import pytest

from interlace.answers.answer_types import AnswerType, asks_for_several, expected_type, names_type, type_cue


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did the ferry sink?", "time"),
        ("In what year was it built?", "time"),
        ("What time does it leave?", "time"),
        ("How many crew had it?", "number"),
        ("How much salt goes into the bread?", "number"),
        ("How much does a crossing cost?", "money"),
        ("What did the new bridge cost?", "money"),
        ("What does a high cost mean?", "any"),
        ("What is the yearly rent?", "money"),
        ("What was the price of a crossing?", "money"),
        ("What's the fee?", "money"),
        ("What\u2019s the fee?", "money"),
        ("What is the cost function of the model?", "any"),
        ("What drives cost?", "any"),
        ("What does a fee waiver need?", "any"),
        ("How much does the cost centre of the lab spend?", "number"),
        ("How much time does it take to charge the battery?", "number"),
        ("How much attention should we pay to security?", "number"),
        ("Who built it?", "name"),
        ("Who steered when it sank?", "name"),
        ("Which harbour town lies east?", "name"),
        ("Why did it sink?", "any"),
        ("Wann fährt die Fähre?", "time"),
        ("Wie viele Plätze hat sie?", "number"),
        ("Wer hat sie gebaut?", "name"),
        ("Quand passe le bac ?", "time"),
        ("À quelle heure passe le bac ?", "time"),
        ("Combien coûte le bac ?", "money"),
        ("Was kostet die Fähre?", "money"),
        ("How expensive is the ferry?", "money"),
        ("¿Cuándo me devuelven la fianza?", "time"),
        ("¿Cuánto cuesta el garaje?", "money"),
        ("¿Cuántos perros se admiten?", "number"),
        ("¿Quién limpia la escalera?", "name"),
    ],
)
def test_the_first_question_word_says_what_is_asked_for(question: str, kind: AnswerType) -> None:
    assert expected_type(question) == kind


@pytest.mark.parametrize(
    ("question", "cue"),
    [
        ("How high is the mast?", "high"),
        ("What time does it leave?", "time"),
        ("In which year was it built?", "year"),
        ("How much does a crossing cost?", "cost"),
        ("Wie teuer ist die Fähre?", "teuer"),
        ("Combien coûte le bac ?", "coûte"),
        ("Um wie viel Uhr fährt sie?", "Uhr"),
        ("¿A qué hora abre?", "hora"),
        ("What is the population of Lund?", ""),
        ("Why did it sink?", ""),
    ],
)
def test_a_word_may_only_say_which_type_is_asked_for(question: str, cue: str) -> None:
    assert type_cue(question) == cue


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("which patients went to Larchfield", True),
        ("What happened to the blue ribbon?", True),
        ("what has changed about the cabin", True),
        ("Welche Rechnungen sind offen?", True),
        ("Was ist mit dem Zug passiert?", True),
        ("¿Qué documentos faltan?", True),
        ("Quelles pièces manquent ?", True),
        ("What is the precept?", False),
        ("Which glass is it?", False),
        ("Welche Farbe hat er?", False),
    ],
)
def test_a_question_may_ask_for_several_things(question: str, several: bool) -> None:
    assert asks_for_several(question) is several


def test_a_type_that_the_question_names_itself_does_not_count() -> None:
    assert names_type("time", "It sank in 1911.", frozenset())
    assert not names_type("time", "It sank in 1911.", frozenset({"1911"}))
    assert names_type("number", "It had twelve crew.", frozenset())
    assert not names_type("number", "It sank in 1911.", frozenset({"1911"}))
    assert names_type("name", "It was built by Orla Venning.", frozenset())
    assert not names_type("name", "It was built by Orla Venning.", frozenset({"orla", "venning"}))


@pytest.mark.parametrize(
    ("kind", "sentence", "named"),
    [
        ("time", "The last ferry leaves at 22:15.", True),
        ("time", "Open from 9 am to 5 pm", True),
        ("time", "It leaves at noon.", True),
        ("time", "Die letzte fährt um 22.15 Uhr, dienstags nicht.", True),
        ("time", "Le bac passe le 3 avril.", True),
        ("time", "A ticket is 22.15 in all.", False),
        ("money", "A crossing is £4.", True),
        ("money", "They want 600 euros.", True),
        ("money", "Price: 31.50", True),
        ("money", "You pay 30 kr.", True),
        ("money", "A crossing is Rs 40, or 55 zł.", True),
        ("money", "Item | Price | Supplier | Unit\nGasket | 12.50 | Norrland | pair", True),
        ("money", "Item | Price | Supplier | Unit\nGasket | on request | Norrland | pair", False),
        ("money", "Try 30 ft of rope.", False),
        ("money", "Sent 2, 4 and 6 for sequencing.", False),
        ("number", "The lease lasts a year.", True),
        ("number", "Wait an hour.", True),
        ("number", "Die Miete läuft über einen Monat.", True),
        ("number", "It was a good year.", False),
    ],
)
def test_signs_of_a_type(kind: AnswerType, sentence: str, named: bool) -> None:
    assert names_type(kind, sentence, frozenset()) is named


@pytest.mark.parametrize(
    ("kind", "sentence", "named"),
    [
        ("number", "1. Back up the database.", False),
        ("number", "[00:00:02] Ada Byron: Let's start.", False),
        ("time", "[09:08] Ada Byron: Let's start at noon.", True),
        ("name", "1. Back up the database.", False),
        ("name", "[00:00:02] Ada Byron: we are late.", True),
    ],
)
def test_the_number_of_an_item_and_the_time_of_a_turn_are_no_answer_but_its_speaker_may_be(
    kind: AnswerType, sentence: str, named: bool
) -> None:
    assert names_type(kind, sentence, frozenset()) is named


def test_spanish_months_and_weekdays_are_times() -> None:
    assert names_type("time", "Se retiran cada enero.", frozenset())
    assert names_type("time", "Abre los sábados.", frozenset())
