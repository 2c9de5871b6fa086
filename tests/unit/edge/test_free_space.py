"""Writes to a disk that is nearly full."""

import shutil
from collections import namedtuple
from http import HTTPStatus
from pathlib import Path

import pytest

from interlace_edge.errors import EdgeError
from interlace_edge.storage.free_space import MIN_FREE_BYTES, check_space, folder_bytes, has_space

Usage = namedtuple("Usage", "total used free")  # noqa: PYI024 - what shutil.disk_usage returns


def free(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12 - size, size))


def test_a_write_to_a_nearly_full_disk_is_refused_before_the_engine_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free(monkeypatch, 200 * 2**20)
    sentence = r"200 MiB are free at .*, and writes need 256 MiB. Free some disk space"
    with pytest.raises(EdgeError, match=sentence) as refused:
        check_space(tmp_path)
    assert refused.value.status == HTTPStatus.INSUFFICIENT_STORAGE
    assert not has_space(tmp_path, 0)


def test_space_is_counted_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free(monkeypatch, MIN_FREE_BYTES)
    check_space(tmp_path)
    assert has_space(tmp_path, 0)
    assert not has_space(tmp_path, 1)


def test_a_folder_is_as_large_as_its_files(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "one").write_bytes(bytes(10))
    (tmp_path / "a" / "b" / "two").write_bytes(bytes(5))
    folders = sum(folder.stat().st_size for folder in (tmp_path / "a", tmp_path / "a" / "b"))
    assert folder_bytes(tmp_path) == folders + 15
