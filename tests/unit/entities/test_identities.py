"""Identities: what a set of decisions makes of forms, whatever the order in which they were made."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlace.domain.decisions import Author, Decision, EntityForm
from interlace.domain.errors import InvalidInputError
from interlace.entities.identities import Identities, Move, Transition, moves

ADA, RULE, MODEL = Author("ada"), Author("spelling", "rule"), Author("m", "model")
FORMS = ["big apple", "new york", "new york city", "nyc", "york"]


def decide(kind: str, *forms: str, author: Author = ADA) -> Decision:
    return Decision(kind, tuple(sorted(map(EntityForm, forms))), author)  # type: ignore[arg-type]


def split(form: str, meaning: str, *documents: str, author: Author = ADA) -> Decision:
    return Decision("split", (EntityForm(form),), author, EntityForm(meaning), tuple(sorted(documents)))


def ids(*forms: str) -> list[str]:
    return [EntityForm(form).id("t") for form in forms]


def entity(identities: Identities, form: str, document: str = "d") -> str:
    return identities.resolve(EntityForm(form).id("t"), document)


def test_same_joins_forms_through_others() -> None:
    found = Identities("t", [decide("same", "nyc", "new york"), decide("same", "nyc", "big apple")])
    assert {entity(found, form) for form in ("nyc", "new york", "big apple")} == set(ids("big apple"))
    assert entity(found, "york") == ids("york")[0]


def test_a_person_outranks_a_rule_and_different_outranks_same() -> None:
    apart, joined = decide("different", "york", "nyc", author=RULE), decide("same", "york", "nyc", author=RULE)
    assert Identities("t", [joined, apart]).overruled == {joined.key}
    by_ada = decide("same", "york", "nyc")
    assert Identities("t", [joined, apart, by_ada]).overruled == {apart.key}
    by_model = decide("same", "york", "nyc", author=MODEL)
    assert Identities("t", [decide("different", "york", "nyc"), by_model]).overruled == {by_model.key}


def test_contradictions_are_found_without_comparing_all_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    count, looked_up, root = 300, 0, Identities._root

    def counted(self: Identities, form: EntityForm) -> EntityForm:
        nonlocal looked_up
        looked_up += 1
        return root(self, form)

    monkeypatch.setattr(Identities, "_root", counted)
    apart = [decide("different", f"a{each}", f"b{each}") for each in range(count)]
    joined = [decide("same", f"a{each}", f"b{each}") for each in range(count)]
    found = Identities("t", [*apart, *joined])
    assert found.overruled == {each.key for each in joined}
    assert looked_up < 20 * count


@pytest.mark.parametrize("names", ["b{:04}", "x{:04}"])
def test_a_name_of_many_decisions_costs_few_steps_for_each(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    count, moved, keep_apart = 400, 0, Identities._keep_apart

    def counted(self: Identities, one: EntityForm, other: EntityForm) -> None:
        nonlocal moved
        moved += 1
        keep_apart(self, one, other)

    monkeypatch.setattr(Identities, "_keep_apart", counted)
    apart = [decide("different", "hub", f"other {each}") for each in range(count)]
    # Decisions of one rank are taken by author: each name is smaller than all before it.
    joined = [decide("same", "hub", names.format(count - each), author=Author(f"a{each:04}")) for each in range(count)]
    found = Identities("t", [*apart, *joined])
    assert found.overruled == set()
    assert entity(found, "hub") == ids(min("hub", names.format(1)))[0]
    assert all(found.are_apart(EntityForm(names.format(count)), EntityForm(f"other {each}")) for each in range(count))
    assert moved < 4 * count
    # All names of the entity share one set.
    assert found.not_meant["hub"] is found.not_meant[names.format(1)] is found.not_meant[names.format(count)]
    assert found.not_meant["hub"] == set(ids(*(f"other {each}" for each in range(count))))


def test_what_is_kept_apart_stays_so_when_either_side_is_joined() -> None:
    joined = [decide("same", "nyc", "new york"), decide("same", "big apple", "new york")]
    found = Identities("t", [decide("different", "york", "nyc"), *joined])
    assert found.overruled == set()
    for form in ("nyc", "new york", "big apple"):
        assert found.are_apart(EntityForm("york"), EntityForm(form))
    assert not found.are_apart(EntityForm("nyc"), EntityForm("big apple"))
    last = decide("same", "york", "big apple")
    assert Identities("t", [*found.decisions, last]).overruled <= {last.key, *(each.key for each in joined)}
    assert Identities("t", [*found.decisions, last]).overruled


def test_different_holds_through_other_names() -> None:
    chain = [decide("same", "nyc", "new york", author=RULE), decide("same", "new york", "york", author=RULE)]
    found = Identities("t", [*chain, decide("different", "nyc", "york")])
    assert entity(found, "nyc") != entity(found, "york")
    assert len(found.overruled) == 1


def test_a_split_counts_in_its_documents_only() -> None:
    found = Identities("t", [split("york", "york england", "d2"), decide("same", "york england", "eboracum")])
    assert entity(found, "york") == ids("york")[0]
    assert entity(found, "york", "d2") == ids("eboracum")[0]
    usual, other, third = ids("york", "eboracum", "third")
    assert found.meant("york", (usual, other, third), "d1") == (usual, third)
    # Any number of entities may have the name as an alias: in a document of the split it is none of theirs.
    assert found.meant("york", (usual, other, third), "d2") == (other,)
    assert found.meant("york", (usual, third), "d2") == ()
    assert found.meant("nyc", (usual, other), "d2") == (usual, other)


def test_a_name_is_never_that_of_an_entity_that_is_kept_apart_from_it() -> None:
    apart, joined = decide("different", "nyc", "big apple"), decide("same", "nyc", "new york")
    found = Identities("t", [apart, joined, decide("different", "york", "nyc", author=RULE)])
    apple, city, york = ids("big apple", "new york", "york")
    assert found.meant("nyc", (apple, city, york), "d") == (city,)
    assert found.meant("new york", (apple, city), "d") == (city,)
    assert found.meant("big apple", (apple, city), "d") == (apple,)
    assert found.meant("gotham", (apple, city), "d") == (apple, city)
    # What has a name as its own keeps it, of whatever kind it is.
    tool = EntityForm("nyc", "Tool")
    kinds = Identities("t", [Decision("different", tuple(sorted((tool, EntityForm("nyc")))), ADA)])
    assert kinds.meant("nyc", (tool.id("t"), *ids("nyc")), "d") == (tool.id("t"), *ids("nyc"))


def test_only_a_form_whose_meaning_changes_must_be_linked_again() -> None:
    none, one = Identities("t"), Identities("t", [split("york", "york england", "d2")])

    def unknown(_: str) -> tuple[str, ...]:
        return ()

    assert one.changed_choices(none, unknown) == none.changed_choices(one, unknown) == {"york"}
    assert one.changed_choices(Identities("t", [*one.decisions, decide("same", "nyc", "new york")]), unknown) == set()
    apart = Identities("t", [decide("different", "nyc", "big apple")])
    assert apart.changed_choices(none, unknown) == set()
    assert apart.changed_choices(none, {ids("big apple")[0]: ("nyc",), ids("nyc")[0]: ("nyc",)}.__getitem__) == {"nyc"}


def test_a_split_tells_the_documents_in_which_another_one_decides() -> None:
    one, two = split("york", "york one", "d1", "d2"), split("york", "york two", "d2", "d3")
    again = split("york", "york one", "d1", "d2", author=MODEL)
    found = Identities("t", [one, two, again])
    assert (found.overruled, found.passed_over) == (set(), {two.key: ("d2",)})
    assert [entity(found, "york", each) for each in ("d1", "d2", "d3")] == ids("york one", "york one", "york two")
    third = split("york", "york three", "d2", author=RULE)
    assert Identities("t", [one, third]).overruled == {third.key}


def test_documents_follow_a_decision_up_to_a_place() -> None:
    after = Identities("t", [decide("same", "nyc", "new york")])
    at = Transition(after, Identities("t"), "d5")
    (nyc, new) = ids("nyc", "new york")
    assert (at.resolve(nyc, "d5"), at.resolve(nyc, "d6")) == (new, nyc)
    assert moves(Identities("t"), after) == [Move(nyc, nyc, new)]


def test_new_choices_hold_from_the_first_document_on_that_follows() -> None:
    after = Identities("t", [split("mercury", "mercury planet", "d1")])
    (usual, planet) = ids("mercury", "mercury planet")
    for place, meant in ((None, (planet,)), ("d0", (planet,)), ("", (usual, planet))):
        at = Transition(after, Identities("t"), place)
        assert at.meant("mercury", (usual, planet), "d1") == meant


@st.composite
def decided(draw: st.DrawFn) -> Decision:
    kind = draw(st.sampled_from(["same", "different", "split"]))
    author = draw(st.sampled_from([ADA, RULE, MODEL]))
    forms = draw(st.lists(st.sampled_from(FORMS), min_size=2, max_size=3, unique=True))
    if kind == "split":
        return split(forms[0], forms[1], *draw(st.sets(st.sampled_from(["d1", "d2"]), min_size=1)), author=author)
    return decide(kind, *forms, author=author)


@settings(deadline=None)
@given(st.lists(decided(), max_size=6), st.randoms())
def test_identities_depend_on_the_set_and_respect_what_counts(decisions: list[Decision], chance: st.DataObject) -> None:
    found = Identities("t", decisions)
    shuffled = sorted(decisions, key=lambda _: chance.random())  # type: ignore[attr-defined]
    other = Identities("t", [*shuffled, *decisions])
    assert found.overruled == other.overruled
    assert all(entity(found, form, each) == entity(other, form, each) for form in FORMS for each in ("d1", "d2", "d3"))
    for decision in decisions:
        if decision.key in found.overruled:
            continue
        classes = {found.entity_of(form.id("t")) for form in decision.forms}
        assert len(classes) == (len(decision.forms) if decision.kind == "different" else 1)


@pytest.mark.parametrize(
    "decision",
    [
        decide("same", "nyc"),
        decide("different", "nyc", ""),
        split("york", "york", "d1"),
        split("york", "york england"),
        decide("same", "nyc", "york", author=Author("")),
        replace(decide("same", "nyc", "york"), meaning=EntityForm("york england")),
        replace(decide("different", "nyc", "york"), meaning=EntityForm("york england")),
    ],
)
def test_a_decision_that_says_nothing_is_refused(decision: Decision) -> None:
    with pytest.raises(InvalidInputError):
        decision.check()
