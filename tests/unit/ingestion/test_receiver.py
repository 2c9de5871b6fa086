"""How documents are divided among tasks."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlace.domain.documents import Source
from interlace.domain.errors import NotFoundError
from interlace.ingestion import receiver
from interlace.ingestion.receiver import grouped, tasks_of


@given(st.lists(st.integers(0, 400_000), max_size=300), st.integers(1, 100), st.booleans())
def test_every_record_is_in_one_task_in_order(sizes: list[int], most: int, dwindling: bool) -> None:
    records = [(str(at), size) for at, size in enumerate(sizes)]
    tasks = list(tasks_of(records, most, dwindling=dwindling))
    assert [identity for task in tasks for identity in task] == [identity for identity, _ in records]
    assert all(1 <= len(task) <= most for task in tasks)


def test_large_documents_make_short_tasks() -> None:
    records = [(str(at), 150_000) for at in range(5)]
    assert list(map(len, tasks_of(records, 64))) == [2, 2, 1]


def test_the_last_tasks_dwindle() -> None:
    records = [(str(at), 1) for at in range(226)]
    assert list(map(len, tasks_of(records, 64, dwindling=True))) == [56, 42, 32, 24, 18, 16, 16, 16, 6]
    assert list(map(len, tasks_of(records, 64))) == [64, 64, 64, 34]


def test_a_full_group_is_given_out_before_the_next_source_is_asked_for() -> None:
    def broken() -> Iterator[Source]:
        for number in range(256):
            yield Source(f"{number}.md", "text/markdown", b"text")
        raise ConnectionError

    assert len(next(grouped(broken(), []))) == 256


def test_all_that_was_not_found_for_deletion_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("documents_by_id", "find_documents"):
        monkeypatch.setattr(receiver, name, lambda *_, **__: [])
    monkeypatch.setattr(receiver, "Tenants", lambda _: SimpleNamespace(check_not_removed=lambda _: None))
    receives = receiver.DocumentReceiver(cast("Any", None), cast("Any", None), fingerprint="", batch_documents=1)
    for wanted, said in (
        ({"ids": ["d2", "d1"]}, "has the id d1, d2;"),
        ({"everything": True}, "matches;"),
    ):
        with pytest.raises(NotFoundError, match=f"^No document {said}"):
            receives.delete("blue", **cast("Any", wanted))
