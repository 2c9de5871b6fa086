"""Atom search where the index has no chunks of a tenant."""

from typing import Any

import pytest

from interlace.domain.errors import NotFoundError, UnavailableError
from interlace.search.atoms.stages import AtomStages
from interlace.search.legs.protocol import Scope
from interlace.search.profile import AtomProfile


class _NoCollection:
    def search(self, *_: Any, **__: Any) -> Any:
        raise NotFoundError("no collection")


class _Graph:
    def __init__(self, chunks: int) -> None:
        self.chunks = chunks

    def run(self, *_: Any, **__: Any) -> Any:
        row = {"version": 1, "revision": 1, "chunks": self.chunks, "model": "", "models": []}
        return [row] if self.chunks else []


def nearest(chunks: int) -> Any:
    stages = AtomStages(_Graph(chunks), _NoCollection(), {}, None, AtomProfile())  # type: ignore[arg-type]
    return stages._nearest(Scope("empty", "", None, 10, 1.0), [1.0], "m")  # type: ignore[arg-type]


def test_a_tenant_without_documents_has_no_atoms_near_a_query() -> None:
    assert nearest(0) == []


def test_chunks_that_the_index_lost_are_an_error_with_the_remedy() -> None:
    with pytest.raises(UnavailableError, match="vectors rebuild"):
        nearest(3)
