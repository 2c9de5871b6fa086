"""The score of two names that may be one entity, on a labelled set that is made of names by rules."""

import pytest

from interlace.entities.pair_score import acronym_of, score_pair, without_affixes

PEOPLE = [
    "ada lovelace",
    "john von neumann",
    "grace brewster hopper",
    "alan mathison turing",
    "donald knuth",
    "mary jackson",
]
ORGANISATIONS = ["acme rockets", "international business machines", "northern light railways", "united paper mills"]
PLACES = ["new york city", "upper silesian lake", "saint petersburg", "isle of man"]
SERIES = ["apollo {}", "windows {}", "chapter {}", "version {} notes"]


def variants(name: str, kind: str) -> list[str]:
    """Return other spellings of a name: what people write for it."""
    words = name.split()
    typed = name[: len(name) // 2] + name[len(name) // 2 + 1 :]
    made = [typed, f"{words[-1]} {' '.join(words[:-1])}"]
    if kind == "person":
        made += [f"{words[0][0]} {' '.join(words[1:])}" if len(words) == 2 else f"dr {name}"]
    if kind == "organisation":
        made += [f"{name} inc", f"{name} ltd", acronym_of(name)]
    if kind == "place":
        made += [acronym_of(name)]
    return made


def labelled() -> list[tuple[str, str, bool]]:
    """Return pairs and whether they are one: variants of a name, and names that share a word, a place in a series or a surname."""
    kinds = {"person": PEOPLE, "organisation": ORGANISATIONS, "place": PLACES}
    pairs = [(name, each, True) for kind, names in kinds.items() for name in names for each in variants(name, kind)]
    names = [*PEOPLE, *ORGANISATIONS, *PLACES]
    pairs += [(one, other, False) for at, one in enumerate(names) for other in names[at + 1 :]]
    pairs += [(form.format(number), form.format(number + 1), False) for form in SERIES for number in (1, 2, 7, 11)]
    pairs += [(name, f"robert {name.split()[-1]}", False) for name in PEOPLE]
    pairs += [(name, f"{name} museum", False) for name in PLACES]
    return pairs


def test_high_bands_of_the_labelled_set_are_precise_and_the_queue_finds_most() -> None:
    scored = [(score_pair([one], [other]).score, same) for one, other, same in labelled()]
    offered = [(score, same) for score, same in scored if score >= 0.4]
    high = [same for score, same in offered if score >= 0.75]
    assert sum(high) / len(high) == 1.0
    assert sum(same for _, same in offered) / sum(same for _, same in scored) >= 0.9


@pytest.mark.parametrize(
    ("one", "other", "signal"),
    [
        ("acme corp", "acme", "shortened"),
        ("nyc", "new york city", "acronym"),
        ("a lovelace", "ada lovelace", "initials"),
        ("fritz lang", "fritz langg", "spelling"),
    ],
)
def test_each_signal_explains_a_pair(one: str, other: str, signal: str) -> None:
    assert score_pair([one], [other]).signals[signal] > 0.7  # type: ignore[index]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("j a smith", "john smith"),
        ("j r r tolkien", "john tolkien"),
        ("john a smith", "john smith"),
        ("s kruger", "sabine krueger"),
        ("frau kruger", "kruger"),
        ("acme gmbh co kg", "acme"),
        ("acme limited", "acme ltd"),
        ("turnverein e v", "turnverein"),
        ("xi jinping", "jinping xi"),
        ("schroeder", "schroder"),
        ("uwe haeusler", "uwe hausler"),
    ],
)
def test_names_written_in_their_usual_ways_score_high(one: str, other: str) -> None:
    assert min(score_pair([one], [other]).score, score_pair([other], [one]).score) > 0.75


@pytest.mark.parametrize(
    ("one", "other", "most"),
    [
        ("acme gmbh", "acme ag", 0.6),
        ("john smith jr", "john smith sr", 0.65),
        ("frau kruger", "herr kruger", 0.6),
        ("world war i", "world war ii", 0.0),
        ("elizabeth i", "elizabeth ii", 0.0),
        ("elizabeth i", "elizabeth v", 0.0),
        ("mac os x", "mac os 9", 0.0),
        ("j a smith", "john b smith", 0.1),
        ("michael novak", "michal novak", 0.8),
        ("rafael", "rafal", 0.7),
        ("michaela", "michala", 0.7),
        ("joe", "jo", 0.7),
        ("boeing", "boing", 0.7),
        ("iphone se", "iphone", 0.4),
    ],
)
def test_what_tells_two_names_apart_counts(one: str, other: str, most: float) -> None:
    assert max(score_pair([one], [other]).score, score_pair([other], [one]).score) <= most


def test_roman_numbers_are_numbers() -> None:
    assert score_pair(["world war i"], ["world war 1"]).score > 0.4
    assert score_pair(["elizabeth ii"], ["elizabeth"]).score == 0.0
    assert score_pair(["aeg"], ["allgemeine elektricitats gesellschaft"]).signals["acronym"] == 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [("space x", "spacex"), ("elizabeth i", "elizabeth"), ("malcolm x", "malcolm"), ("mac os x", "mac os")],
)
def test_one_letter_is_a_number_only_beside_another_one(one: str, other: str) -> None:
    assert min(score_pair([one], [other]).score, score_pair([other], [one]).score) > 0.25


def test_type_neighbours_and_one_breath_count() -> None:
    plain = score_pair(["acme corp"], ["acme"], types=("Organization", "Organization")).score
    assert score_pair(["acme corp"], ["acme"], types=("Organization", "Person")).score < plain
    assert score_pair(["acme corp"], ["acme"], types=("Organization", "Organization"), together=1.0).score == plain / 2
    near = {"neighbours": 1.0, "types": ("Organization", "Organization")}
    assert score_pair(["acme corp"], ["acme"], **near).score > plain  # type: ignore[arg-type]


def test_people_have_no_acronyms_and_two_letters_say_little() -> None:
    people = score_pair(["jerry rivers"], ["jr"], types=("Person", "Person"))
    short = score_pair(["kunia camp"], ["kc"], types=("Place", "Place"))
    assert (people.score, people.signals["acronym"]) == (0.0, 0.0)
    assert short.score < score_pair(["kunia camp base"], ["kcb"], types=("Place", "Place")).score - 0.2


def test_a_title_and_its_mention_are_not_set_apart_by_standing_together() -> None:
    forms = ["john diamond journalist", "john diamond"]
    assert score_pair(["john diamond"], forms, types=("Person", "Other"), together=1.0).score > 0.85


def test_forms_lose_what_says_little() -> None:
    assert (without_affixes("dr ludwig van beethoven"), without_affixes("ltd"), acronym_of("isle of man")) == (
        "ludwig beethoven",
        "ltd",
        "im",
    )
