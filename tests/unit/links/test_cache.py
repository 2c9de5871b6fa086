"""The cache of links: what it answers equals the links at every moment, and a file is read whole or not at all."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.memory_links import DocumentReference, MemoryLinkGraph
from tests.support.waiting import until

from interlace.domain.errors import UnavailableError
from interlace.domain.relations import Direction
from interlace.links import snapshot as snapshots
from interlace.links.cache import CachedLinkGraph
from interlace.links.snapshot import LabelledLink, Snapshot, SnapshotError, load, path_of, save
from interlace.ports.links import Link, LinkedDocument
from interlace.settings import LinkSettings

WIKI, PART = Link("wikilink", ""), Link("markdown", "part")
TENANT = "acme"
LINKS = [("a", "b", WIKI), ("a", "b", PART), ("a", "c", WIKI), ("b", "a", WIKI), ("d", "b", PART)]


class Source(MemoryLinkGraph):
    """Links in memory whose revision counts their changes."""

    def __init__(self, links: dict[str, list[str]]) -> None:
        super().__init__()
        self.version, self.copied, self.asked = 0, 0, 0
        self.before_copying: list[Any] = []
        for document, targets in links.items():
            self.write(document, targets)

    def write(self, document: str, targets: list[str]) -> None:
        self.version += 1
        refers = [DocumentReference(f"name:{target}", WIKI) for target in targets]
        self.put(TENANT, LinkedDocument(document, document, document, frozenset({f"name:{document}"})), refers)

    def delete(self, document: str) -> None:
        self.version += 1
        self.remove(TENANT, document)

    def adjacent(self, tenant: str, documents: Any, direction: Direction, limit: int) -> Any:
        self.asked += 1
        return super().adjacent(tenant, documents, direction, limit)

    def revision(self, tenant: str) -> str | None:
        return f"epoch:{self.version}" if tenant == TENANT else None

    def settled_revision(self, tenant: str) -> str | None:
        return self.revision(tenant)

    def all_links(self, tenant: str) -> Iterator[LabelledLink]:
        self.copied += 1
        documents = sorted(self._tenants[tenant].documents)
        for act in self.before_copying:
            act()
        for pair in super().adjacent(tenant, documents, "out", 1000):
            for link in pair.links:
                yield pair.source, pair.target, link


@pytest.fixture
def source() -> Source:
    return Source({"a": ["b", "c"], "b": ["a"], "c": [], "d": ["b"]})


def cached(source: Source, folder: Path | None, *, reads: int = 0, **values: Any) -> CachedLinkGraph:
    return CachedLinkGraph(source, LinkSettings(cache_folder=folder, **values), reads)


def events(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for record in caplog.records:
        name, _, fields = record.getMessage().partition(" ")
        if name.startswith("link_cache."):
            found.append((name.removeprefix("link_cache."), json.loads(fields)))
    return found


def answers(links: CachedLinkGraph | Source) -> Any:
    return [
        links.adjacent(TENANT, ["a", "b", "c", "d"], way, most) for way in ("in", "out", "both") for most in (1, 2, 9)
    ]


def test_a_copy_answers_as_the_links_do(source: Source, tmp_path: Path) -> None:
    links = cached(source, tmp_path)
    expected = answers(source)
    assert links.prepare(TENANT)
    asked = source.asked
    assert answers(links) == expected
    assert source.asked == asked
    assert links.resolve(TENANT, ["name:a"], 1) == {"name:a": ["a"]}
    assert links.search_names(TENANT, ["a"], 5) == ["a"]
    assert links.read_documents(TENANT, ["b"])["b"].incoming == 2
    assert links.adjacent(TENANT, [], "both", 5) == links.adjacent("another", ["a"], "both", 5) == []


def test_no_answer_is_older_than_the_last_change(source: Source, tmp_path: Path) -> None:
    links = cached(source, tmp_path)
    links.prepare(TENANT)
    source.delete("b")
    assert answers(links) == answers(source)
    source.write("e", ["a", "c"])
    assert answers(links) == answers(source)
    links.close()


def test_what_was_written_while_it_was_copied_is_no_copy(source: Source, tmp_path: Path) -> None:
    source.before_copying.append(lambda: source.write("e", ["a"]))
    assert cached(source, tmp_path).prepare(TENANT) is None
    assert list(tmp_path.iterdir()) == []


def test_after_some_steps_a_copy_is_made_in_the_background(source: Source, tmp_path: Path) -> None:
    links = cached(source, tmp_path, reads=3)
    for _ in range(3):
        links.adjacent(TENANT, ["a"], "both", 9)
    assert source.copied == 0
    links.adjacent(TENANT, ["a"], "both", 9)
    until(lambda: path_of(tmp_path, TENANT).exists())
    links.close()
    asked = source.asked
    assert links.adjacent(TENANT, ["a"], "out", 9)[0].target == "b"
    assert (source.asked, source.copied) == (asked, 1)


def test_another_process_reads_the_file(source: Source, tmp_path: Path) -> None:
    cached(source, tmp_path).prepare(TENANT)
    other = cached(source, tmp_path)
    assert other.prepare(TENANT)
    assert source.copied == 1
    source.write("e", ["a"])
    assert other.prepare(TENANT)
    assert source.copied == 2
    assert load(path_of(tmp_path, TENANT), TENANT).revision == source.revision(TENANT)


@pytest.mark.parametrize("damage", ["damaged", "schema_version", "tenant"])
def test_a_file_that_may_not_be_used_is_reported_and_made_again(
    source: Source, tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = path_of(tmp_path, TENANT)
    with monkeypatch.context() as patch:
        if damage == "schema_version":
            patch.setattr(snapshots, "SCHEMA_VERSION", 99)
        cached(source, tmp_path).prepare(TENANT)
    if damage == "damaged":
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    if damage == "tenant":
        save(Snapshot.of("other", "epoch:4", LINKS), path)
    caplog.clear()
    links = cached(source, tmp_path)
    assert links.prepare(TENANT)
    assert answers(links) == answers(source)
    (refused, why), (made, fields) = events(caplog)
    assert (refused, why["tenant"], why["reason"]) == ("refused", TENANT, damage)
    assert (made, fields["reason"], fields["links"], fields["revision"]) == ("made", damage, 4, "epoch:4")
    assert load(path, TENANT).revision == "epoch:4"
    assert list(tmp_path.iterdir()) == [path]


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=300, deadline=None
)
@given(at=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255), cut=st.booleans())
def test_no_damage_is_ever_read(tmp_path: Path, at: float, bits: int, cut: bool) -> None:
    path, whole = tmp_path / "file.links", Snapshot.of(TENANT, "epoch:1", LINKS)
    save(whole, path)
    data = bytearray(path.read_bytes())
    place = int(at * len(data))
    if cut:
        del data[place:]
    else:
        data[place] ^= bits
    path.write_bytes(data)
    try:
        found = load(path, TENANT)
    except SnapshotError:
        return
    assert (found.revision, found.ids, found.labels) == (whole.revision, whole.ids, whole.labels)
    assert np.array_equal(found.links, whole.links)


def test_a_snapshot_that_was_read_answers_as_the_one_that_was_written(tmp_path: Path) -> None:
    save(Snapshot.of(TENANT, "epoch:1", [*LINKS, *LINKS]), tmp_path / "file.links")
    found = load(tmp_path / "file.links", TENANT)
    assert found.links.shape == (5, 3)
    assert found.adjacent(["a"], "out", 1)[0].links == (PART, WIKI)
    assert [pair.source for pair in found.adjacent(["b"], "in", 9)] == ["a", "d"]


def test_a_tenant_without_links_has_a_snapshot_too(tmp_path: Path) -> None:
    save(Snapshot.of(TENANT, "epoch:1", []), tmp_path / "file.links")
    assert load(tmp_path / "file.links", TENANT).adjacent(["a"], "both", 9) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "damaged"),
        (b"[]\n", "damaged"),
        (b'{"schema_version": 1, "tenant": "acme"}\n', "damaged"),
        (b'{"schema_version": 1, "tenant": "acme", "revision": "epoch:1", "sha256": 1}\n', "damaged"),
        (b'{"schema_version": 2, "tenant": "acme", "revision": "epoch:1", "sha256": ""}\n', "schema_version"),
    ],
)
def test_a_first_line_that_says_something_else_is_refused(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "file.links"
    path.write_bytes(line)
    with pytest.raises(SnapshotError) as refused:
        load(path, TENANT)
    assert refused.value.reason == reason


def test_links_that_are_too_many_are_left_to_the_database(
    source: Source, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    links = cached(source, tmp_path, cached_links=3)
    assert links.prepare(TENANT) is None
    assert [(name, fields["maximum"]) for name, fields in events(caplog)] == [("skipped", 3)]
    assert answers(links) == answers(source)
    links.close()
    assert source.copied == 1
    assert cached(source, tmp_path, cached_links=4).prepare(TENANT)


def test_with_no_links_allowed_there_is_no_cache(source: Source, tmp_path: Path) -> None:
    links = cached(source, tmp_path, cached_links=0)
    assert answers(links) == answers(source)
    assert source.copied == 0


def test_a_folder_that_cannot_be_written_costs_the_file_alone(
    source: Source, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    links = cached(source, tmp_path / "file")
    assert links.prepare(TENANT)
    # A file in the folder's place is reported when it is read, too.
    assert [name for name, _ in events(caplog)] == ["refused", "not_written"]
    assert cached(source, None).prepare(TENANT)


def test_an_outage_while_it_is_copied_is_reported_and_harms_no_answer(
    source: Source, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise UnavailableError("Neo4j does not answer.")

    source.before_copying.append(fail)
    links = cached(source, tmp_path)
    assert answers(links) == answers(source)
    links.close()
    (failed,) = events(caplog)
    assert failed == ("failed", {"tenant": TENANT, "reason": "Neo4j does not answer."})
    # Nothing is begun any more once it is closed.
    source.write("e", ["a"])
    copied = source.copied
    assert answers(links) == answers(source)
    assert source.copied == copied


def test_files_that_are_stale_are_removed(source: Source, tmp_path: Path) -> None:
    links = cached(source, tmp_path)
    links.prepare(TENANT)
    path = path_of(tmp_path, TENANT)
    links.remove_stale_files()
    assert path.exists()
    source.delete("b")
    links.remove_stale_files()
    assert not path.exists()
    path.write_bytes(b"nothing")
    gone = path_of(tmp_path, "gone")
    save(Snapshot.of("gone", "epoch:1", LINKS), gone)
    links.remove_stale_files()
    assert list(tmp_path.iterdir()) == []
    cached(source, None).remove_stale_files()
    cached(source, tmp_path / "none").remove_stale_files()


def test_few_tenants_are_held() -> None:
    source = Source({"a": ["b"], "b": []})
    source.revision = source.settled_revision = lambda tenant: f"{tenant}:1"  # type: ignore[method-assign]
    links = cached(source, None)
    for number in range(100):
        assert links.prepare(f"tenant-{number}")
    assert len(links._tenants) <= 32
