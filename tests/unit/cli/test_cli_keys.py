"""What ``keys create`` does before there is a key, and what ``keys list`` says of tenants."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from interlace.access.keys import ApiKey
from interlace.cli.commands import keys
from interlace.domain.errors import UnavailableError


def test_no_key_is_made_that_an_error_would_keep_from_being_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def create(grant: object) -> Any:
        made.append(grant)
        return SimpleNamespace(id="k1", key="k1.secret")

    @contextmanager
    def opened() -> Iterator[Any]:
        yield SimpleNamespace(create=create, graph=None)

    def away(*_: object) -> None:
        raise UnavailableError("Neo4j does not answer.")

    monkeypatch.setattr(keys, "_administration", opened)
    monkeypatch.setattr(keys, "_note_missing_tenants", away)
    with pytest.raises(UnavailableError):
        keys.create("robot", tenant=["acme"])
    assert not made


def test_the_list_says_which_tenants_of_keys_in_use_are_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def opened() -> Iterator[Any]:
        found = [key("k1", None, "acme", "here", "*"), key("k2", 1, "gone")]
        yield SimpleNamespace(list=lambda: found, graph=None)

    def key(identity: str, revoked_at: int | None, *tenants: str) -> ApiKey:
        return ApiKey(identity, "robot", tenants, ("read",), (), None, None, 0, None, revoked_at)

    monkeypatch.setattr(keys, "_administration", opened)
    monkeypatch.setattr("interlace.documents.tenants.Tenants.list", lambda _: ["here"])
    keys.list_keys()
    said = capsys.readouterr().err
    assert "There is no tenant acme yet" in said
    assert said.count("There is no tenant") == 1
