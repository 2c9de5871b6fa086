"""The profile of a stack and the heap of its Neo4j: named, or chosen by the machine."""

from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from interlace.domain.errors import SettingsError
from interlace.settings import StackSettings, load_settings
from interlace_stack import profiles, programs
from interlace_stack.layout import layout_of
from interlace_stack.profiles import NEO4J_FLAGS, heap_mb, profile_of
from interlace_stack.state import ensure_state


@pytest.mark.parametrize(("cores", "expected"), [(1, "small"), (2, "small"), (3, "standard"), (16, "standard")])
def test_auto_goes_by_the_cores(monkeypatch: pytest.MonkeyPatch, cores: int, expected: str) -> None:
    monkeypatch.setattr(profiles, "cores", lambda: cores)
    assert profile_of(StackSettings()) == expected


def test_a_named_profile_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "cores", lambda: 2)
    monkeypatch.setenv("INTERLACE_STACK__PROFILE", "standard")
    assert profile_of(load_settings().stack) == "standard"


def test_an_unknown_profile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_STACK__PROFILE", "huge")
    with pytest.raises(SettingsError, match="INTERLACE_STACK__PROFILE"):
        load_settings()


@pytest.mark.parametrize(("machine", "expected"), [(2 << 30, 1024), (6 << 30, 1536), (64 << 30, 2048)])
def test_the_heap_goes_by_the_memory(monkeypatch: pytest.MonkeyPatch, machine: int, expected: int) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=machine))
    assert heap_mb(StackSettings()) == expected
    assert heap_mb(StackSettings(neo4j_heap_mb=700)) == 700


@pytest.mark.parametrize("profile", ["small", "standard"])
def test_neo4j_starts_with_the_flags_of_its_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, profile: profiles.Profile
) -> None:
    monkeypatch.setattr(programs, "find_java", lambda: Path("/usr/bin/java"))
    settings = load_settings(stack=StackSettings(home=tmp_path, profile=profile, neo4j_heap_mb=1234))
    layout = layout_of(settings)
    layout.prepare()
    plan = programs.programs(settings, layout, ensure_state(settings, layout), frozenset({"neo4j"}))
    command = plan["neo4j"].command
    assert {flag for flags in NEO4J_FLAGS.values() for flag in flags} & set(command) == set(NEO4J_FLAGS[profile])
    assert "-Xmx1234m" in command
