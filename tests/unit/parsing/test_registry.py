"""The one entry to all formats: sizes and names."""

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing.media import MARKDOWN, TEXT
from interlace.parsing.sandbox.limits import ParseLimits


def test_documents_above_the_limit_name_size_limit_and_setting() -> None:
    error = refusal(b"x" * 11, TEXT, ParseLimits(max_bytes=10))
    assert error.reason == "too-large"
    assert all(word in error.message for word in ("11 bytes", "10", "INTERLACE_INGEST__MAX_BYTES"))


def test_a_skill_file_is_named_after_its_folder() -> None:
    assert read(b"Do it.", MARKDOWN, "skills/deploy/SKILL.md").title == "deploy"


@pytest.mark.parametrize(
    ("uri", "title"),
    [
        ("docs/Meeting 12.06.2025", "Meeting 12.06.2025"),
        ("README.Debian", "README.Debian"),
        ("docs/Meeting 12.06.2025.TXT", "Meeting 12.06.2025"),
        ("src/main.py", "main"),
        ("https://example.org/notes.txt?raw=1", "notes"),
    ],
)
def test_only_what_names_a_format_is_cut_from_a_title(uri: str, title: str) -> None:
    assert read("Some words.", TEXT, uri=uri).title == title


@pytest.mark.parametrize("uri", ["https://example.org", "https://x.com/a?b=c.org", "info@example.org"])
def test_an_address_is_no_file_name(uri: str) -> None:
    assert read("* Low\n", TEXT, uri=uri).text == "* Low"


def test_the_file_name_in_an_address_tells_the_format() -> None:
    assert read("* Low\nEbb\n", TEXT, uri="https://example.org/a.org?raw=1").text == "Ebb"
