"""The difference between versions: what a document adds, its removal takes away, and nothing else."""

from collections import Counter

from interlace.domain.documents import Chunk, ParsedDocument, Section
from interlace.domain.extraction import Extraction, Fact, Mention
from interlace.domain.ids import entity_id
from interlace.entities.evidence import Evidence, decode, encode
from interlace.ingestion.change import GraphChange, entity_change
from interlace.ingestion.support_rows import chunk_support, title_entity
from interlace.ingestion.versions import Claim, NewVersion, OldVersion
from interlace.queries.entities import ReadEntitiesRow

TENANT = "t"
TEXT = "Ada met Bob."
SECTION = Section("", (), 0, 0, 0, len(TEXT))
PARSED = ParsedDocument("Ada", TEXT, (SECTION,), tags=("people",), aliases=("Countess",))
CHUNK = Chunk("c1", "d1", ("Ada",), 0, 0, TEXT, 0, len(TEXT), 4)
EXTRACTION = Extraction(
    (Mention("Ada", "Person", 0, 3), Mention("Bob", "Person", 8, 11)),
    (Fact("Ada", "MEET", "Bob", 0, 12, 1.0, "spacy"),),
)
TITLE, TITLE_EVIDENCE = title_entity(TENANT, PARSED)


def version(extractions: dict[str, Extraction] | None = None) -> NewVersion:
    claim = Claim("d1", 1, 1, "me", "job", "upsert", "ada.md", "text/markdown", "sum")
    return NewVersion(claim, "f", PARSED, (CHUNK,), {"c1": EXTRACTION} if extractions is None else extractions)


def test_facts_are_about_what_words_stand_for() -> None:
    found = Extraction(
        (Mention("→", "Other", 4, 7, via="link", meant="Bob Lee"),),
        tuple(Fact("Ada", "USES", name, 0, 12, 1.0, "structure") for name in ("Bob Lee", "?!")),
    )
    support = chunk_support(TENANT, CHUNK, found, TITLE)
    assert [fact["object"] for fact in support.facts] == [entity_id(TENANT, "bob lee"), None]


def as_stored() -> OldVersion:
    """Return the version as the graph gives it back."""
    support = chunk_support(TENANT, CHUNK, EXTRACTION, TITLE)
    return OldVersion(
        "d1",
        1,
        frozenset({"c1"}),
        {TITLE: TITLE_EVIDENCE},
        support={"c1": support.evidence},
        relations={"c1": support.relations},
        remaining=frozenset(),
    )


def added() -> GraphChange:
    change = GraphChange()
    change.add_document(TENANT, version(), None)
    return change


def test_a_document_brings_its_names_facts_and_relations() -> None:
    change = added()
    assert change.evidence[TITLE] == {
        Evidence("title", "", "Ada"): 1,
        Evidence("alias", "", "Countess"): 1,
        Evidence("ner", "Person", "Ada"): 1,
    }
    assert [fact["properties"]["sentence"] for fact in change.facts] == [TEXT]
    ((subject, predicate, target, level),) = change.relations
    assert (subject, predicate, level) == (TITLE, "MEET", "1.00")
    assert change.touched_entities() == sorted({TITLE, target})
    assert change.new_chunks == {"c1"}


def test_taking_a_document_away_undoes_adding_it() -> None:
    change = added()
    asserted = as_stored().asserted
    assert change.relation_rows()[0]["evidence"] == ["1.00\t1"]
    change.count_relation_documents((), asserted)
    change.subtract_document(as_stored(), frozenset())
    change.count_relation_documents(asserted, ())
    assert change.touched_entities() == []
    assert change.relation_rows() == []
    assert change.removed_chunks == {"c1"}


def test_kept_chunks_are_neither_added_nor_taken_away() -> None:
    change = GraphChange()
    again = version(extractions={})
    change.subtract_document(as_stored(), again.kept)
    change.add_document(TENANT, again, as_stored())
    assert (change.kept_chunks, change.new_chunks, change.removed_chunks) == ({"c1"}, set(), set())
    assert change.touched_entities() == []
    assert change.mentions == change.facts == []
    assert change.documents[0]["properties"]["version"] == 2


def test_a_chunk_extracted_again_replaces_itself() -> None:
    change = GraphChange()
    plain = version(extractions={"c1": Extraction()})
    change.subtract_document(as_stored(), plain.kept)
    change.add_document(TENANT, plain, as_stored())
    assert (change.kept_chunks, change.new_chunks, change.removed_chunks) == (set(), {"c1"}, {"c1"})
    assert change.evidence[TITLE] == {
        Evidence("title", "", "Ada"): 0,
        Evidence("alias", "", "Countess"): 0,
        Evidence("ner", "Person", "Ada"): -1,
    }


def row(evidence: Counter[Evidence], *keys: str) -> ReadEntitiesRow:
    return ReadEntitiesRow("e", encode(evidence), list(keys), "Other")


def test_an_entity_without_evidence_goes_with_its_names() -> None:
    change = entity_change(
        {"e": Counter({Evidence("ner", "", "Ada"): -2})}, [row(Counter({Evidence("ner", "", "Ada"): 2}), "ada")], {}
    )
    assert (change.rows, change.removed, change.keys, change.changed_names) == ([], ["e"], {"e": ()}, {"ada"})


def test_aliases_that_come_and_go_are_part_of_the_change() -> None:
    stored = Counter({Evidence("title", "", "Ada"): 1, Evidence("alias", "", "Countess"): 1})
    deltas = {"e": Counter({Evidence("alias", "", "Countess"): -1, Evidence("alias", "", "Augusta King"): 1})}
    change = entity_change(deltas, [row(stored, "ada", "countess")], {})
    assert change.keys == {"e": ("ada", "augusta king")}
    assert change.changed_names == {"countess", "augusta king"}
    assert decode(change.rows[0]["properties"]["evidence"]) == stored + deltas["e"]


def test_more_of_the_same_moves_no_name() -> None:
    stored = Counter({Evidence("ner", "Person", "Ada"): 1})
    change = entity_change({"e": Counter({Evidence("ner", "Person", "Ada"): 1})}, [row(stored, "ada")], {})
    assert (change.keys, change.changed_names) == ({}, set())
    assert change.rows[0]["properties"]["evidence"] == ["ner\tPerson\tAda\t2"]
