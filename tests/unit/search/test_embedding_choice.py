"""Which embedding model a question is asked with."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import QueryRequest
from interlace.entities.linker import EntityLinker
from interlace.ports.models import Embedder
from interlace.search.embedding_choice import choose_embedder


class Named(Mapping[str, Embedder]):
    """Models that are only names, and a list of those that were loaded."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.loaded: list[str] = []

    def __getitem__(self, name: str) -> Embedder:
        self.loaded.append(name)
        return cast("Embedder", f"model {name}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __len__(self) -> int:
        return len(self.names)


def registry(complete: tuple[str, ...], used: str | None = None, chunks: int = 9) -> EntityLinker:
    made = EntityLinker("t")
    made.models, made.model, made.chunks = complete, used, chunks
    return made


@pytest.mark.parametrize(
    ("complete", "used", "configured", "chosen"),
    [
        (("a",), None, ("a",), "a"),
        (("a", "b"), None, ("a", "b"), "a"),
        (("a", "b"), "b", ("a", "b"), "b"),
        (("a", "b"), "b", ("a",), "a"),  # the one in use is not configured here
        (("b",), None, ("a", "b"), "b"),  # the first one is not complete yet
        (("a",), "a", ("b",), None),
        ((), None, ("a",), None),
        (("a",), None, (), None),
    ],
)
def test_the_model_in_use_is_taken_then_the_first_then_any_that_is_complete(
    complete: tuple[str, ...], used: str | None, configured: tuple[str, ...], chosen: str | None
) -> None:
    models = Named(*configured)
    found: Any = choose_embedder(QueryRequest("who?"), registry(complete, used), models)
    assert found == (f"model {chosen}" if chosen else None)
    assert models.loaded == ([chosen] if chosen else []), "no other model is loaded"


def test_the_callers_model_wins() -> None:
    found: Any = choose_embedder(QueryRequest("who?", model="b"), registry(("a", "b"), "a"), Named("a", "b"))
    assert found == "model b"


@pytest.mark.parametrize(
    ("configured", "request_", "message"),
    [
        (("a", "b"), QueryRequest("who?", model="c"), r"no embedding model 'c' here\. There are: a, b\."),
        (("small", "b"), QueryRequest("who?", model="smal"), r"here; did you mean 'small'\? There are: small, b\."),
        (("a", "b"), QueryRequest("who?", model="b"), r"'b' lacks vectors.*rebuild --model b.*choose: a\."),
        ((), QueryRequest("who?", model="a"), "embeddings are off"),
        ((), QueryRequest("who?", mode="vector_only"), "embeddings are off"),
        (("b",), QueryRequest("who?", mode="vector_only"), "no model has vectors of every chunk yet"),
    ],
)
def test_a_model_that_cannot_answer_is_refused_with_those_that_can(
    configured: tuple[str, ...], request_: QueryRequest, message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        choose_embedder(request_, registry(("a",)), Named(*configured))
