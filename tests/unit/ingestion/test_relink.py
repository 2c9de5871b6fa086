"""The linker: aliases in a text, except where an extractor already saw the same entity."""

from tests.support.collecting_graph import CollectingGraph

from interlace.entities.linker import EntityLinker
from interlace.ingestion.relink import AffectedChunk, affected_chunks, links_in, new_links, own_spans, relink
from interlace.queries.mentions import ReadLinkingMention, ReadLinkingRow

TEXT = "Ada Lovelace met Ada."


def registry(**entities: list[str]) -> EntityLinker:
    made = EntityLinker("t")
    made.apply(entities, 1)
    return made


def test_every_alias_is_linked_longest_first() -> None:
    known = registry(e1=["ada lovelace"], e2=["ada"], e3=["ada"])
    assert links_in(TEXT, {}, known) == {
        ("e1", "ada lovelace"): [0, 12],
        ("e2", "ada"): [17, 20],
        ("e3", "ada"): [17, 20],
    }


def test_what_an_extractor_saw_there_is_not_linked_again() -> None:
    known = registry(e1=["ada"], e2=["ada"])
    assert links_in(TEXT, {"e1": {(17, 20)}}, known) == {("e1", "ada"): [0, 3], ("e2", "ada"): [0, 3, 17, 20]}
    assert links_in(TEXT, own_spans([("e1", [0, 3, 17, 20]), ("e2", None)]), known) == {("e2", "ada"): [0, 3, 17, 20]}


def test_who_has_a_short_form_for_a_name_elsewhere_is_not_linked_where_it_stands_for_another() -> None:
    known = registry(e1=["ada lovelace"], e2=["ada"])
    full = {"entity": "e1", "properties": {"via": "ner", "offsets": [0, 12]}}
    for via, expected in (("ner", ["e2"]), ("short", []), ("acronym", [])):
        short = {"entity": "e1", "properties": {"via": via, "offsets": [17, 20]}}
        assert [row["entity"] for row in new_links("c", TEXT, [full, short], known)] == expected
        mentions = [ReadLinkingMention("e1", via, None, [17, 20])]
        change = relink([ReadLinkingRow("c", TEXT, "d", mentions)], known, set())
        assert [row["entity"] for row in change.add] == ["e1", *expected]


def test_linking_again_writes_the_difference_only() -> None:
    known = registry(e1=["ada lovelace"], e2=["ada"])
    linked = new_links("c", TEXT, [], known)
    linker_mentions = [
        ReadLinkingMention(row["entity"], "linker", row["properties"]["key"], row["properties"]["offsets"])
        for row in linked
    ]
    assert relink([ReadLinkingRow("c", TEXT, "d", linker_mentions)], known, set()).add == []
    known.apply({"e1": ()}, 2)
    change = relink([ReadLinkingRow("c", TEXT, "d", linker_mentions)], known, {"e1"})
    assert [(row["entity"], row["properties"]["offsets"]) for row in change.add] == [("e2", [0, 3, 17, 20])]
    assert change.remove == [{"chunk": "c", "entity": "e2", "key": "ada"}]


def test_names_after_a_short_form_are_linked_as_well() -> None:
    known = registry(e1=["ada lovelace"], e2=["ada"], e3=["bob"])
    text = "Ada Lovelace met Ada and Bob."
    found = links_in(text, {"e1": {(0, 12)}}, known, resolved=[(17, 20)])
    assert found == {("e3", "bob"): [25, 28]}


def test_words_are_looked_for_where_they_are_capitalised_and_phrases_anywhere() -> None:
    graph = CollectingGraph(
        {"chunks/find_chunks_by_alias": [{"document": "d2", "id": "c1"}, {"document": "d1", "id": "c2"}]}
    )
    found = affected_chunks(graph, "t", ["ada", "ada lovelace", "the", "7"])
    assert found == [AffectedChunk("d1", "c2"), AffectedChunk("d2", "c1")]
    (search,) = graph.params_of("chunks/find_chunks_by_alias")
    assert search["search"] == '+tenant:"t" +(capitals:"ada" terms:"ada lovelace")'
