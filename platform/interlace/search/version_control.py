"""Whether a query is about version control: by unambiguous words, or by a verb and its object."""

from collections.abc import Mapping, Sequence

from interlace.text.tokenizer import content_words

_SURE = frozenset(
    [
        "git", "github", "gitlab", "rebase", "rebased", "rebases", "rebasing", "cherrypick", "diff", "diffs",
        "gitignore", "submodule",
    ]
)  # fmt: skip
"""Words that have no other common sense."""
_PHRASES = frozenset({("cherry", "pick"), ("pull", "request"), ("merge", "request"), ("merge", "conflict")})
_DETERMINERS = frozenset(
    [
        "the", "a", "this", "that", "these", "those", "which", "each", "every", "my", "your", "our", "last", "latest",
        "first", "previous", "next", "initial",
    ]
)  # fmt: skip
# A verb begins a sentence or follows one of these; a noun before it is its subject: "the companies merge".
_BEFORE_VERBS = frozenset(
    [
        "to", "please", "i", "we", "you", "and", "then", "can", "should", "must", "could", "cannot", "dont", "not",
        "let", "me", "us", "just", "who", "did",
    ]
)  # fmt: skip
_VERBS: Mapping[str, frozenset[str]] = {
    verb: frozenset(objects.split())
    for verb, objects in {
        "commit": "change changes work file files fix fixes edit edits code",
        "merge": "change changes conflict conflicts request requests code",
        "push": "change changes tag tags fix fixes code",
        "pull": "change changes request requests code",
        "branch": "",
        "blame": "line lines",
        "checkout": "tag file files",
        "cherry": "",
        "stash": "change changes work edit edits",
        "squash": "change changes",
        "revert": "change changes merge",
    }.items()
}
"""Objects of a verb where it means version control, in addition to ``_OBJECTS``."""
_PAST = {"committed": "commit", "merged": "merge", "pushed": "push", "pulled": "pull", "reverted": "revert"}
_OBJECTS = frozenset(
    [
        "branch", "branches", "commit", "commits", "repo", "repos", "repository", "repositories", "upstream",
        "origin", "head", "worktree", "stash", "patch", "patches",
    ]
)  # fmt: skip
_TRUNKS = frozenset({"main", "master", "trunk", "develop"})
_TOWARDS = frozenset({"into", "onto", "to", "from", "against", "with", "on", "merge"})


def speaks_of_version_control(words: Sequence[str]) -> bool:
    """Return whether some case-folded words, in their order and with stop words, are about version control.

    ``rebase this branch onto main`` and ``commit my changes`` do, ``the companies merge next year`` and ``push the button`` do not: a verb
    that has other senses counts where it is used as a verb whose subject is no noun, and where its object belongs to version control
    or is not named.
    """
    if not _SURE.isdisjoint(words) or any(_is_sure_phrase(words, at) for at in range(len(words))):
        return True
    return any(_is_meant(words, at) for at, word in enumerate(words) if _PAST.get(word, word) in _VERBS)


def _is_sure_phrase(words: Sequence[str], at: int) -> bool:
    pair = (words[at], words[at + 1].removesuffix("s")) if at + 1 < len(words) else None
    noun = words[at] in {"commit", "commits"} and at > 0 and words[at - 1] in _DETERMINERS
    return noun or pair in _PHRASES


def _is_meant(words: Sequence[str], at: int) -> bool:
    if at and words[at - 1] not in _BEFORE_VERBS:
        return False
    rest = words[at + 1 :]
    named = set(content_words(" ".join(rest)))
    if not named:
        # Alone: "commit", "push it".
        return words[at] not in _PAST
    objects = _OBJECTS | _VERBS[_PAST.get(words[at], words[at])]
    return not named.isdisjoint(objects) or any(_is_trunk(rest, place) for place in range(len(rest)))


def _is_trunk(words: Sequence[str], at: int) -> bool:
    """Return whether ``main`` and the like name a branch: ``onto main``, but not ``to main street``."""
    return (
        words[at] in _TRUNKS
        and (at == 0 or words[at - 1] in _TOWARDS)
        and (at + 1 == len(words) or not content_words(words[at + 1]))
    )
