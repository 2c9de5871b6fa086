"""What must hold for any names and texts: one key however a name is written, and links that forget how the names came."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from interlace.entities.evidence import Evidence, decode, describe, encode
from interlace.entities.gazetteer import Gazetteer
from interlace.entities.linker import EntityLinker
from interlace.entities.normalization import clean_name, may_match, normalize_name
from interlace.ingestion.relink import new_links, relink
from interlace.queries.mentions import ReadLinkingMention, ReadLinkingRow
from interlace.text.tokenizer import tokens

WORDS = st.sampled_from(["Ada", "Old", "Mill", "York", "Hall", "of"])
KEYS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join).map(str.lower)
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
# Letters, signs that decompose, marks and what stands between words; every letter has one normal form.
LETTERS = st.text("aBéßÆ8½²ⅧⒶ™№ﬁﷺ㎏Ω東\u0308\U0001d400 -'\u2019.,/+#\u207a\uff0b\uff03\u200b\u00a0\x00", max_size=40)
SURFACES = st.text('aB éß™\u202e\t"', max_size=12).map(clean_name)
EVIDENCE = st.dictionaries(
    st.builds(Evidence, st.sampled_from(["ner", "title", "alias"]), st.sampled_from(["", "Person", "Place"]), SURFACES),
    st.integers(1, 5),
).map(Counter)


@given(LETTERS)
@settings(max_examples=300, deadline=None)
def test_a_text_and_its_normal_form_have_the_same_words(text: str) -> None:
    text = unicodedata.normalize("NFC", text)
    forms = [token.form for token in tokens(text)]
    assert forms == [token.form for token in tokens(unicodedata.normalize("NFKC", text))]
    assert all((form[:1] + form[1:].rstrip("+#")).isalnum() and form == form.casefold() for form in forms)


@given(LETTERS, LETTERS)
@settings(max_examples=300, deadline=None)
def test_a_name_is_found_where_it_stands(name: str, before: str) -> None:
    name = unicodedata.normalize("NFC", name)
    key = normalize_name(name)
    assert normalize_name(clean_name(name)) == key
    dictionary = Gazetteer()
    dictionary.assign("e", [key])
    text = f"{unicodedata.normalize('NFC', before)} | {name}"
    # The last word, because an article before it is no part of the key.
    if may_match(key) and (" " in key or tokens(name)[-1].capital):
        assert dictionary.find(text)


@given(EVIDENCE, EVIDENCE)
@settings(deadline=None)
def test_evidence_forgets_what_was_taken_away(kept: Counter[Evidence], gone: Counter[Evidence]) -> None:
    both = kept + gone
    both.subtract(gone)
    assert encode(both) == encode(kept)
    assert decode(encode(both)) == kept
    if kept:
        assert describe(+both) == describe(dict(reversed(kept.items())))


def in_the_graph(chunk: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the linker's mentions of a chunk as the graph gives them back."""
    return [
        {"entity": row["entity"], "via": "linker", **{name: row["properties"][name] for name in ("key", "offsets")}}
        for row in rows
        if row["chunk"] == chunk
    ]


def _row(text: str, mentions: list[dict[str, Any]]) -> ReadLinkingRow:
    return ReadLinkingRow(text, text, "", [ReadLinkingMention(**mention) for mention in mentions])


@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    st.lists(st.tuples(st.sampled_from("abcd"), st.lists(KEYS, max_size=2)), min_size=1, max_size=10),
    st.lists(
        st.tuples(
            st.sampled_from("abcd"), st.integers(0, 12), st.integers(1, 8), st.sampled_from(["ner", "short", "acronym"])
        ),
        max_size=3,
    ),
)
@settings(max_examples=200, deadline=None)
def test_links_depend_on_the_names_that_are_left_only(
    texts: list[str], changes: list[tuple[str, list[str]]], own: list[tuple[str, int, int, str]]
) -> None:
    registry = EntityLinker("t")
    seen = [
        {"entity": entity, "via": via, "key": None, "offsets": [at, at + length]} for entity, at, length, via in own
    ]
    links: dict[str, list[dict[str, Any]]] = {text: [] for text in texts}
    for number, (entity, keys) in enumerate(changes):
        moved = {key for key in {*keys} ^ {*registry.forms_of(entity)} if may_match(key)}
        registry.apply({entity: keys}, number)
        for text in texts:
            if not any(f" {key} " in f" {text.lower()} " for key in moved):
                continue
            change = relink([_row(text, links[text] + seen)], registry, set())
            gone = {(row["entity"], row["key"]) for row in change.remove}
            kept = [link for link in links[text] if (link["entity"], link["key"]) not in gone]
            links[text] = kept + in_the_graph(text, change.add)
    rows = [
        {"entity": mention["entity"], "properties": {"via": mention["via"], "offsets": mention["offsets"]}}
        for mention in seen
    ]
    for text in texts:
        fresh = in_the_graph(text, new_links(text, text, rows, registry))
        assert sorted(links[text], key=str) == sorted(fresh, key=str)
