"""Groups of readers of a document: from its sender or itself, changed by a patch, in the graph's row and the payload."""

from dataclasses import replace
from typing import Any

import pytest

from interlace.domain.documents import ParsedDocument
from interlace.domain.errors import InvalidInputError, ParseError
from interlace.ingestion.document_rows import document_row
from interlace.ingestion.labelling import LabelChange, _labelled, check_change
from interlace.ingestion.labels import LabelPatch, groups_of, sent_digest, with_sent
from interlace.ingestion.versions import Claim, NewVersion
from interlace.queries.labels import ReadLabelsRow
from interlace.vectors.projection import chunk_payload

PARSED = ParsedDocument(title="Crane", text="A crane.", sections=())


def access(own: Any, sent: dict[str, Any]) -> Any:
    metadata = {} if own is None else {"access": own}
    return with_sent(replace(PARSED, metadata=metadata), sent).metadata.get("access")


def test_the_sender_decides_and_else_the_document() -> None:
    assert access(["legal"], {}) == ["legal"]
    assert access("press, board", {}) == ["board", "press"]
    assert access(["legal"], {"access": ["board"]}) == ["board"]
    assert access(["legal"], {"access": []}) is None
    assert access(None, {}) is access([], {}) is access("", {}) is None


@pytest.mark.parametrize("wrong", [{"group": "legal"}, [["legal"]], True, ["a b"], ["*"], 1.5])
def test_what_is_no_list_of_groups_opens_nothing(wrong: Any) -> None:
    with pytest.raises(InvalidInputError, match="access"):
        groups_of(wrong)


def test_a_document_whose_readers_are_unclear_is_refused() -> None:
    with pytest.raises(ParseError, match="access: write groups") as raised:
        access({"board": True}, {})
    assert raised.value.reason == "access"


@pytest.mark.parametrize("key", ["Access", "ACCESS", "access "])
def test_readers_under_a_key_that_is_only_nearly_right_open_nothing(key: str) -> None:
    for own, sent in (({key: ["board"]}, {}), ({}, {key: ["board"]}), ({key: ["board"]}, {"access": ["legal"]})):
        with pytest.raises(ParseError, match=r"write `access`, in small letters, .* another name") as raised:
            with_sent(replace(PARSED, metadata=own), sent)
        assert raised.value.reason == "access"
    with pytest.raises(InvalidInputError, match="write `access`"):
        check_change(LabelChange(metadata={key: ["board"]}))


def test_the_same_bytes_for_other_readers_are_no_unchanged_document() -> None:
    assert sent_digest({"access": ["a"]}) != sent_digest({"access": ["b"]}) != sent_digest({})


def test_a_patch_changes_the_readers_of_later_versions() -> None:
    document = replace(PARSED, metadata={"access": ["legal"]})
    assert LabelPatch(metadata={"access": ["board"]}).apply(document).metadata == {"access": ["board"]}
    assert LabelPatch(metadata={"access": None}).apply(document).metadata == {}


def test_metadata_is_no_way_round_the_field_of_its_own() -> None:
    with pytest.raises(InvalidInputError, match="send `access` beside `metadata`"):
        check_change(LabelChange(metadata={"access": []}))
    with pytest.raises(InvalidInputError, match="not a valid name of a group"):
        check_change(LabelChange(access=["a b"]))


def test_row_and_payload_carry_the_groups() -> None:
    claim = Claim("d1", 1, 1, "w", "j1", "upsert", "a.md", "text/markdown", "c")
    version = NewVersion(claim, "f", replace(PARSED, metadata={"access": ["board"]}), (), {})
    properties = document_row("blue", version, 1)["properties"]
    assert properties["access"] == ["board"]
    assert "metadata.access" not in properties
    assert chunk_payload({"id": "d1", **properties}, "body", 0)["access"] == ["*", "board"]
    del properties["access"]
    assert "access" not in chunk_payload({"id": "d1", **properties}, "body", 0)


def test_the_root_of_a_documentation_is_no_label_but_another_one_changes_the_document() -> None:
    assert sent_digest({"documentation_root": ".."}) != sent_digest({"documentation_root": "."}) != sent_digest({})
    with pytest.raises(InvalidInputError, match=r"documentation_root is not a label .* another upload changes it"):
        check_change(LabelChange(metadata={"documentation_root": "."}))
    stored = {"title": "Crane", "metadata.documentation_root": "..", "metadata.colour": "red"}
    row = ReadLabelsRow(id="d1", properties=stored, chunks=[])
    properties = _labelled(row, LabelChange(clear_metadata=True))
    assert "metadata.colour" in properties
    assert "metadata.documentation_root" not in properties
