"""What `interlace ingest .` leaves out of a folder with code in it."""

from pathlib import Path

import pytest

from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources


def write(root: Path, *names: str, **texts: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(texts.get(name, "text"), encoding="utf-8")


def found(*paths: Path) -> list[str]:
    return [source.uri.partition("/")[2] for source in find_sources(paths, limits=ParseLimits())]


def test_environments_and_build_output_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.md",
        "env/pyvenv.cfg",
        "env/lib/x.md",
        "web/node_modules/p/README.md",
        "pyproject.toml",
        "dist/x.md",
    )
    write(tmp_path, "lib/site-packages/x.md", "pkg.egg-info/x.txt", "notes/build/plan.md")
    assert found(tmp_path) == ["a.md", "notes/build/plan.md", "pyproject.toml"]


def test_environments_of_conda_and_output_of_other_build_tools_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "tools/conda-meta/history", "tools/share/x.md")
    for project in ("CMakeLists.txt", "build.gradle.kts", "go.mod", "meson.build", "composer.json"):
        write(tmp_path, f"{project}.d/{project}", f"{project}.d/build/x.md")
    assert [name for name in found(tmp_path) if name.endswith(".md")] == ["a.md"]


def test_a_build_folder_without_a_project_holds_documents(tmp_path: Path) -> None:
    write(tmp_path, "build/plan.md", "dist/list.md", "target/aim.md")
    assert found(tmp_path) == ["build/plan.md", "dist/list.md", "target/aim.md"]


def test_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n/secret/\n!keep.log\n# a comment\n\nsub/*.tmp.md\n", encoding="utf-8")
    write(
        tmp_path, "a.md", "b.log", "keep.log", "secret/x.md", "sub/secret/y.md", "sub/z.tmp.md", "sub/z.md", "sub/c.log"
    )
    assert found(tmp_path) == ["a.md", "keep.log", "sub/secret/y.md", "sub/z.md"]


def test_rules_of_folders_below_and_around_hold(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("drafts/\n*.txt\n", encoding="utf-8")
    write(tmp_path, "docs/a.md", "docs/a.txt", "docs/drafts/x.md", "docs/sub/b.txt", "docs/sub/c.md")
    (tmp_path / "docs/sub/.gitignore").write_text("!b.txt\nc.md\n", encoding="utf-8")
    assert found(tmp_path / "docs") == ["a.md", "sub/b.txt"]


def test_what_is_given_itself_is_read(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n", encoding="utf-8")
    write(tmp_path, "b.log")
    assert [source.uri for source in find_sources([tmp_path / "b.log"], limits=ParseLimits())] == ["b.log"]


@pytest.mark.parametrize("rules", [b"\xff\xfe!!", b"[z-a]\n**\x00"])
def test_rules_that_make_no_sense_hide_nothing_else(tmp_path: Path, rules: bytes) -> None:
    (tmp_path / ".gitignore").write_bytes(rules)
    write(tmp_path, "a.md")
    assert found(tmp_path) == ["a.md"]
