"""Query intent from words alone, without a model: action, target, context and keywords."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interlace.search.version_control import speaks_of_version_control
from interlace.text.tokenizer import content_words, tokens


def _lexicon(groups: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, words in groups.items() for word in words.split()}


_ORDINARY_ACTIONS = _lexicon(
    {
        "find": "find search look lookup locate show list get fetch see browse",
        "explain": "explain describe understand summarise summarize summary overview mean means meaning",
        "compare": "compare difference differ versus vs older younger earlier later longer larger better",
        "create": "create add write make build generate implement new draft",
        "update": "update edit change modify rename refactor fix repair upgrade migrate",
        "delete": "delete remove drop purge uninstall erase",
        "run": "run execute start launch call invoke deploy use install configure",
        "count": "count many number total",
    }
)
_GIT_ACTIONS = _lexicon(
    {
        "commit": "commit commits committed",
        "merge": "merge merged merging",
        "rebase": "rebase rebased rebases rebasing",
        "branch": "branch branches",
        "push": "push pushed",
        "pull": "pull pulled",
        "diff": "diff diffs",
        "blame": "blame",
        "checkout": "checkout",
        "cherry": "cherry cherrypick",
        "stash": "stash stashed",
        "squash": "squash squashed",
        "revert": "revert reverted",
    }
)
_ACTIONS = {**_ORDINARY_ACTIONS, **_GIT_ACTIONS}
_TARGETS = _lexicon(
    {
        "git": "git repository repo repositories repos",
        "database": "database databases sql cypher schema schemas postgres neo4j qdrant redis migration migrations",
        "skill": "skill skills tool tools plugin plugins",
        "code": "code function functions module modules method methods script scripts bug bugs stacktrace traceback "
        "exception source library libraries package packages",
        "docs": "doc docs documentation readme manual guide guides tutorial tutorials",
        "web": "web website websites webpage webpages url urls http https browser browsers html",
        "knowledge": "knowledge note notes concept concepts topic topics wiki vault memory",
    }
)
_ORDER = ("git", "database", "skill", "code", "docs", "web", "knowledge")


@dataclass(frozen=True, slots=True)
class Intent:
    """The intent of a query.

    Args:
        action: canonical verb (``find``, ``explain``, ``compare``, …); ``find`` if the words show no other.
        target: ``git``, ``database``, ``skill``, ``code``, ``docs``, ``web``, ``knowledge``; empty if the words show none.
        context: keywords that named neither action nor target: the qualifiers.
        keywords: case-folded words without stop words, in order, unique.
        entities: ids of the entities found in the question, in order of appearance.
    """

    action: str
    target: str
    context: tuple[str, ...]
    keywords: tuple[str, ...]
    entities: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the intent without the entities, which responses list elsewhere."""
        return {
            "action": self.action,
            "target": self.target,
            "context": list(self.context),
            "keywords": list(self.keywords),
        }


def analyse(question: str, entities: Sequence[str] = ()) -> Intent:
    """Analyse a question by its words, beside the ids of the entities that the linker found in it; deterministic, no model."""
    words = tuple(token.form for token in tokens(question))
    keywords = content_words(question)
    actions = [_ACTIONS[word] for word in words if word in _ACTIONS]
    action = actions[0] if actions else "find"
    target = _target(words, actions)
    context = tuple(word for word in keywords if word not in _ACTIONS and word not in _TARGETS)
    return Intent(action, target, context, keywords, tuple(dict.fromkeys(entities)))


def _target(words: Sequence[str], actions: Sequence[str]) -> str:
    """Return the most specific domain named; a verb of version control names ``git``, alone or with another word of code."""
    named = {_TARGETS[word] for word in words if word in _TARGETS}
    beside_code = "code" in named and not set(_GIT_ACTIONS.values()).isdisjoint(actions)
    if beside_code or speaks_of_version_control(words):
        return "git"
    return next((target for target in _ORDER if target in named), "")
