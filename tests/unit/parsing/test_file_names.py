"""Which file a URI names, where its name has the mark that begins the id of a record."""

import pytest
from tests.support.parsing import read

from interlace.parsing.file_names import file_uri, record_of
from interlace.parsing.media import TEXT


@pytest.mark.parametrize(
    ("uri", "file", "record"),
    [
        ("docs/issue #12.txt", "docs/issue #12.txt", ""),
        ("C#/a.md", "C#/a.md", ""),
        ("all.jsonl#7", "all.jsonl", "7"),
        ("C#/all.JSON#a#b.md", "C#/all.JSON", "a#b.md"),
        ("export#7", "export", "7"),
        ("report.txt#r8", "report.txt", "r8"),
        ("https://x.org/a#top", "https://x.org/a", "top"),
    ],
)
def test_a_record_follows_a_file_of_records_and_a_fragment_an_address(uri: str, file: str, record: str) -> None:
    assert (file_uri(uri), record_of(uri)) == (file, record)


def test_the_path_that_was_read_tells_the_file_of_a_record_whatever_its_name() -> None:
    assert file_uri("C#/Inbox#a@x.org", {"path": "C#/Inbox"}) == "C#/Inbox"
    assert file_uri("a.csv#1", {"path": "elsewhere/a.csv"}) == "a.csv"
    assert file_uri("a.csv#1.md", {"path": "a.csv#1.md"}) == "a.csv#1.md"


@pytest.mark.parametrize(
    ("uri", "title"), [("docs/C# guide.txt", "C# guide"), ("issue #12.txt", "issue #12"), ("C#/plan.txt", "plan")]
)
def test_the_mark_of_records_is_part_of_a_title(uri: str, title: str) -> None:
    assert read("Some words.", TEXT, uri=uri).title == title
