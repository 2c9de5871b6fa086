"""What ``keys create`` does before there is a key."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from interlace.cli import keys
from interlace.domain.errors import UnavailableError


def test_no_key_is_made_that_an_error_would_keep_from_being_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    def create(grant: object) -> Any:
        made.append(grant)
        return SimpleNamespace(id="k1", key="k1.secret")

    @contextmanager
    def opened() -> Iterator[Any]:
        yield SimpleNamespace(create=create, keys=SimpleNamespace(graph=None))

    def away(*_: object) -> None:
        raise UnavailableError("Neo4j does not answer.")

    monkeypatch.setattr(keys, "_administration", opened)
    monkeypatch.setattr(keys, "_note_missing_tenants", away)
    with pytest.raises(UnavailableError):
        keys.create("robot", tenant=["acme"])
    assert not made
