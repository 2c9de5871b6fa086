"""Intent and the weights that follow from it."""

import math

import pytest

from interlace.domain.errors import InvalidInputError, SettingsError
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
        ("Which websites mention tides?", "find", "web"),
    ],
)
def test_action_and_target(question: str, action: str, target: str) -> None:
    intent = analyse(question)
    assert (intent.action, intent.target) == (action, target)


@pytest.mark.parametrize(
    "question",
    [
        "rebase this branch onto main",
        "commit my changes",
        "push to origin",
        "pull the latest changes from upstream",
        "merge main into my branch",
        "How do I merge my branch?",
        "please squash these commits",
        "show me the diff",
        "Who committed this change?",
        "cherry-pick the fix",
        "what changed in the last commit?",
        "revert the merge",
        "commit",
        "push it",
        "stash my work and checkout main",
        "How to resolve a merge conflict",
        "open a pull request",
        "git blame",
        "I rebased and pushed",
        "can I push a tag?",
        "blame line 12",
        "check the commits since Monday",
        "branch from main",
        "We should revert these changes",
        "undo my last commit",
    ],
)
def test_a_verb_of_version_control_alone_is_about_git(question: str) -> None:
    intent = analyse(question)
    assert intent.target == "git"
    assert weights_for(intent, QUERY, PROFILE).keyword == 1.4


@pytest.mark.parametrize(
    "question",
    [
        "The companies merge next year",
        "push the button",
        "Who is to blame for the flood?",
        "Which bank opened a branch in the main street?",
        "Did he commit the crime?",
        "pull the lever",
        "How do tectonic plates merge?",
        "The rivers merge at Koblenz",
        "commit to memory",
        "When is checkout at the hotel?",
        "Who merged the two kingdoms?",
        "cherry trees in spring",
        "squash soup",
        "We commit to the plan",
        "push prices up",
        "He pulled the trigger",
        "branch out into new markets",
        "The railway branch to main street",
        "Who committed the murder?",
        "stash of gold",
        "to pull to main street",
    ],
)
def test_the_same_verbs_have_other_senses(question: str) -> None:
    assert analyse(question).target != "git"


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
    web = weights_for(analyse("the URL of the harbour"), QUERY, PROFILE)
    assert (web.proximity, web.graph_rerank, web.vector, web.keyword) == (1.2, 1.0, 1.0, 1.1)


def test_the_table_of_intents_is_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_QUERY__INTENT_WEIGHTS", '{"docs": {"keyword": 2, "entity": 0.5}}')
    settings = load_settings().query
    changed = weights_for(analyse("the guide to tides"), settings, PROFILE)
    assert (changed.proximity, changed.keyword, changed.entity) == (1.5, 2.0, 0.5)
    assert weights_for(analyse("a function of tides"), settings, PROFILE).keyword == 1.3


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ('{"git": {"keyword": -1}}', "INTENT_WEIGHTS__GIT__KEYWORD"),
        ('{"web": {"vector": NaN}}', "INTENT_WEIGHTS__WEB__VECTOR"),
        ('{"code": {"proximity": Infinity}}', "INTENT_WEIGHTS__CODE__PROXIMITY"),
        ('{"docs": {"colour": 1}}', "INTENT_WEIGHTS__DOCS__COLOUR"),
        ('{"gitt": {"keyword": 1}}', "INTENT_WEIGHTS__GITT"),
    ],
)
def test_a_senseless_table_is_refused_by_name(table: str, named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_QUERY__INTENT_WEIGHTS", table)
    with pytest.raises(SettingsError, match=named):
        load_settings()


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
@pytest.mark.parametrize("name", ["proximity", "graph_rerank", "vector", "keyword", "entity"])
def test_senseless_weights_are_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(InvalidInputError, match=name):
        FusionWeights(**{name: value})  # type: ignore[arg-type]


def test_senseless_leg_weights_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"legs\.tags"):
        FusionWeights(legs={"tags": -0.1})
