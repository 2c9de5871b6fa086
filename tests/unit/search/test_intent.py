"""Intent and the weights that follow from it."""

import math

import pytest

from interlace.domain.errors import InvalidInputError
from interlace.search.intent import analyse
from interlace.search.profile import PROFILE
from interlace.search.weights import FusionWeights, weights_for
from interlace.settings import load_settings

QUERY = load_settings().query


@pytest.mark.parametrize(
    ("question", "action", "target"),
    [
        ("Where is the harbour?", "find", ""),
        ("Explain the notes on tides", "explain", "knowledge"),
        ("Compare both guides", "compare", "docs"),
        ("Which function deletes a session?", "find", "code"),
        ("Who changed the script in the last commit?", "commit", "git"),
        ("merge two repositories", "merge", "git"),
        ("The companies merge next year", "merge", ""),
        ("Create an index in the database", "create", "database"),
    ],
)
def test_action_and_target(question: str, action: str, target: str) -> None:
    intent = analyse(question)
    assert (intent.action, intent.target) == (action, target)


def test_context_is_what_neither_action_nor_target_took() -> None:
    intent = analyse("Find the function that parses dates", ["e2", "e1", "e2"])
    assert intent.keywords == ("find", "function", "parses", "dates")
    assert intent.context == ("parses", "dates")
    assert intent.entities == ("e2", "e1")


def test_the_table_of_intents() -> None:
    docs = weights_for(analyse("the guide to tides"), QUERY, PROFILE)
    assert (docs.proximity, docs.graph_rerank, docs.vector, docs.keyword, docs.entity) == (1.5, 1.3, 0.9, 1.0, 1.0)
    code = weights_for(analyse("a function of tides"), QUERY, PROFILE)
    assert (code.proximity, code.graph_rerank, code.vector, code.keyword) == (0.7, 1.0, 1.2, 1.3)
    assert code.of_leg("keyword") == pytest.approx(0.30 * 1.3)
    assert code.of_leg("graph") == 0.25
    assert code.of_leg("unheard-of") == 0


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
@pytest.mark.parametrize("name", ["proximity", "graph_rerank", "vector", "keyword", "entity"])
def test_senseless_weights_are_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(InvalidInputError, match=name):
        FusionWeights(**{name: value})  # type: ignore[arg-type]


def test_senseless_leg_weights_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"legs\.tags"):
        FusionWeights(legs={"tags": -0.1})
