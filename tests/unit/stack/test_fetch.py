"""Fetching with Maven: the folder appears whole or not at all, and only once. A script takes Maven's place."""

from pathlib import Path

import pytest

from interlace.domain.errors import StackError
from interlace_stack import fetch
from interlace_stack.fetch import fetch_neo4j, is_complete, jars_folder
from interlace_stack.layout import Layout

MAVEN = """#!/bin/bash
echo "$@" >> {calls}
for word; do case $word in -DoutputDirectory=*) out=${{word#*=}} ;; esac; done
for jar in org/neo4j/neo4j/1/neo4j-1.jar org/neo4j/gds/proc/2/proc-2.jar; do
  mkdir -p "$out/${{jar%/*}}" && echo jar > "$out/$jar"
done
{end}
"""


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "home", "default")
    made.prepare()
    return made


def replace_maven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str = "") -> Path:
    """Put a script in Maven's place; returns the file in which it records its calls."""
    script, calls = tmp_path / "mvn", tmp_path / "calls"
    script.write_text(MAVEN.format(calls=calls, end=end))
    script.chmod(0o755)
    monkeypatch.setattr(fetch, "find_maven", lambda: script)
    monkeypatch.setattr(fetch, "find_java", lambda: tmp_path / "jdk" / "bin" / "java")
    return calls


def test_jars_are_fetched_once(tmp_path: Path, layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = replace_maven(tmp_path, monkeypatch)
    sentences: list[str] = []
    folder = fetch_neo4j(layout, sentences.append)
    assert fetch_neo4j(layout, sentences.append) == folder == jars_folder(layout)
    assert is_complete(folder)
    assert sorted(path.name for path in (folder / "lib").iterdir()) == ["neo4j-1.jar", "proc-2.jar"]
    assert [path.name for path in (folder / "plugins").iterdir()] == ["proc-2.jar"]
    assert len(sentences) == 1
    lines = calls.read_text().splitlines()
    assert [("-P server" in line, "-P plugins" in line) for line in lines] == [(True, False), (False, True)]
    assert all("--strict-checksums" in line for line in lines)


def test_a_failure_is_reported_and_leaves_nothing(
    tmp_path: Path, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_maven(tmp_path, monkeypatch, end="echo 'checksum validation failed'; exit 1")
    with pytest.raises(StackError, match=r"Maven could not fetch the server jars .*checksum validation failed"):
        fetch_neo4j(layout, lambda _: None)
    assert [path.name for path in layout.cache.iterdir()] == ["lock"]


def test_another_pom_makes_the_cache_stale(tmp_path: Path, layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_maven(tmp_path, monkeypatch)
    folder = fetch_neo4j(layout, lambda _: None)
    monkeypatch.setattr(fetch, "_pom_digest", lambda: "another")
    assert not is_complete(folder)
