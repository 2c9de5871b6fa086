"""Finding documents: stable names, records of one file, and errors that name the path and leave the rest alone."""

import os
from pathlib import Path

import pytest
from tests.support.sources import LIMITS, faults, find, uris, write

from interlace.api.schemas.uploads import uri_problem
from interlace.domain.documents import Source
from interlace.domain.errors import ParseError
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources


def test_names_are_relative_to_the_parent_of_what_was_given(tmp_path: Path) -> None:
    for place in ("here", "there"):
        write(tmp_path / place / "docs" / "a" / "b.md")
        write(tmp_path / place / "docs" / "c.txt")
    here, there = (find(tmp_path / place / "docs") for place in ("here", "there"))
    assert uris(here) == uris(there) == ["docs/a/b.md", "docs/c.txt"]
    assert uris(find(tmp_path / "here/docs/a/../c.txt")) == ["c.txt"]


def test_metadata_holds_path_name_time_and_size(tmp_path: Path) -> None:
    path = write(tmp_path / "docs" / "a.md", "12345")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    (found,) = find(tmp_path / "docs")
    assert isinstance(found, Source)
    assert (found.media_type, found.content) == ("text/markdown", b"12345")
    assert found.metadata == {
        "path": "docs/a.md",
        "file_name": "a.md",
        "modified_at": "2023-11-14T22:13:20+00:00",
        "size_bytes": 5,
        "local_file": str(path.resolve()),
    }


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000", "\u00ad"])
def test_a_file_is_known_by_its_path_whatever_spaces_that_has(tmp_path: Path, space: str) -> None:
    path = write(tmp_path / "docs" / f"10.00{space}AM.md")
    (found,) = find(tmp_path / "docs")
    assert isinstance(found, Source)
    assert found.metadata["local_file"] == str(path.resolve())
    assert not uri_problem(found.uri), "the API takes what the command line takes"


def test_files_of_a_documentation_say_where_its_root_is(tmp_path: Path) -> None:
    for name in ("conf.py", "index.rst", "a/b/c.rst", "a/d.md", "a/e.txt"):
        write(tmp_path / "docs" / name)
    roots = {
        each.uri: each.metadata.get("documentation_root")
        for each in find(tmp_path / "docs")
        if isinstance(each, Source)
    }
    assert roots == {
        "docs/conf.py": None, "docs/index.rst": ".", "docs/a/b/c.rst": "../..", "docs/a/d.md": "..", "docs/a/e.txt": None,
    }  # fmt: skip


def test_hidden_and_version_control_folders_are_left_out(tmp_path: Path) -> None:
    for name in (".git/x.md", ".hidden.md", "CVS/x.md", "seen.md"):
        write(tmp_path / "docs" / name)
    assert uris(find(tmp_path / "docs")) == ["docs/seen.md"]


def test_links_are_not_followed_and_wrong_ones_are_reported(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    write(root / "a.md")
    write(tmp_path / "secret.md")
    (root / "inside.md").symlink_to(root / "a.md")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "self").symlink_to(root / "self")
    (root / "up").symlink_to(root)
    found = find(root)
    assert uris(found) == ["docs/a.md"]
    assert faults(found) == [("docs/out.md", "link"), ("docs/self", "link"), ("docs/up", "link")]


def test_a_given_link_is_followed(tmp_path: Path) -> None:
    write(tmp_path / "real" / "a.md")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert uris(find(tmp_path / "link")) == ["real/a.md"]


def test_one_root_twice_is_read_once_and_two_of_one_name_are_refused(tmp_path: Path) -> None:
    first = write(tmp_path / "a" / "x.md")
    second = write(tmp_path / "b" / "x.md")
    found = find(first, first, second)
    assert uris(found) == ["x.md"]
    assert faults(found) == [("x.md", "duplicate")]


def test_two_unicode_forms_of_one_name_are_refused_and_one_file_is_read(tmp_path: Path) -> None:
    for name in ("caf\u00e9.txt", "cafe\u0301.txt", "other.txt"):
        write(tmp_path / "docs" / name)
    found = find(tmp_path / "docs")
    assert uris(found) == ["docs/caf\u00e9.txt", "docs/other.txt"]
    assert faults(found) == [("docs/caf\u00e9.txt", "duplicate")]


def test_missing_and_vanished_files_are_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / "docs" / f"{name}.md")
    sources = find_sources([tmp_path / "docs", tmp_path / "none"], limits=LIMITS)
    first = next(sources)
    (tmp_path / "docs" / "b.md").unlink()
    rest = list(sources)
    assert uris([first, *rest]) == ["docs/a.md", "docs/c.md"]
    assert faults(rest) == [("docs/b.md", "unreadable"), ("none", "unreadable")]


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_files_without_permission_are_reported(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.md").chmod(0)
    write(tmp_path / "docs" / "b.md")
    found = find(tmp_path / "docs")
    assert (uris(found), faults(found)) == (["docs/b.md"], [("docs/a.md", "unreadable")])


def test_pipes_are_refused_without_waiting(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "z.md")
    os.mkfifo(tmp_path / "docs" / "pipe.md")
    found = find(tmp_path / "docs")
    assert (uris(found), faults(found)) == (["docs/z.md"], [("docs/pipe.md", "unknown-type")])


def test_pictures_beside_the_text_are_left_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.md")
    write(tmp_path / "docs" / "b.png", b"\x89PNG\r\n\x1a\n")
    write(tmp_path / "docs" / "c.svg", b"<svg/>")
    found = find(tmp_path / "docs")
    assert (uris(found), faults(found)) == (["docs/a.md"], [])
    assert faults(find(tmp_path / "docs" / "b.png")) == [("b.png", "unknown-type")]


def test_large_and_foreign_files_are_reported(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.md", "x" * 200)
    write(tmp_path / "docs" / "b.db", b"\x89DB\r\n\x1a\n\x00\x00")
    found = find(tmp_path / "docs", limits=ParseLimits(max_bytes=100))
    assert faults(found) == [("docs/a.md", "too-large"), ("docs/b.db", "unknown-type")]
    messages = [item.message for item in found if isinstance(item, ParseError)]
    assert "200 bytes" in messages[0]
    assert "INTERLACE_INGEST__MAX_BYTES" in messages[0]
    assert "Markdown" in messages[1]


def test_strange_names_get_unambiguous_uris(tmp_path: Path) -> None:
    for name in ("e\u0301.md", "a\u202eb.md", "new\nline.md", "n" * 240 + ".md"):
        write(tmp_path / "docs" / name)
    bad = os.path.join(os.fsencode(tmp_path / "docs"), b"bad\xff.md")  # noqa: PTH118 - a name that is no text
    with open(bad, "wb") as file:  # noqa: PTH123 - see above
        file.write(b"x")
    found = uris(find(tmp_path / "docs"))
    assert set(found) == {
        "docs/a%E2%80%AEb.md", "docs/bad%FF.md", "docs/new%0Aline.md", "docs/" + "n" * 240 + ".md", "docs/é.md",
    }  # fmt: skip
    assert all(uri.encode() for uri in found)


def test_progress_names_each_file_and_deep_folders_need_no_recursion(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    for _ in range(300):
        folder /= "d"
    write(folder / "a.md")
    seen: list[Path] = []
    found = list(find_sources([tmp_path / "d"], limits=LIMITS, progress=seen.append))
    assert uris(found) == ["d/" * 301 + "a.md"]
    assert seen == [folder / "a.md"]


def test_the_root_of_a_documentation_is_in_what_was_given(tmp_path: Path) -> None:
    for name in ("conf.py", "a/b.rst"):
        write(tmp_path / "docs" / name)
    for given in (tmp_path / "docs/a", tmp_path / "docs/a/b.rst"):
        (found,) = find(given)
        assert isinstance(found, Source)
        assert "documentation_root" not in found.metadata
