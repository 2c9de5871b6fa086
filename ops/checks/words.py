"""The retired words of the vocabulary, what to say instead, and where they are allowed after all."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch


@dataclass(frozen=True, slots=True)
class Text:
    """A file that is read: its path from the root of the repository and what it holds."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class Retired:
    """A retired word.

    Args:
        pattern: found in prose and in the parts of identifiers: ``walked`` is found in ``walked_entities`` and ``WalkedEntities``.
        instead: what to say.
        allowed: pieces of text that are no violation, such as ``os.walk``.
        files: patterns of paths where the word is right.
    """

    pattern: str
    instead: str
    allowed: str = ""
    files: tuple[str, ...] = ()


WORDS = (
    Retired(
        r"passages?",
        "chunk, or document of a benchmark's corpus",
        # The prompt is part of the model: bge-small-en-v1.5 was trained with these words.
        allowed=r"represent this sentence for searching relevant passages",
        files=("docs/evaluation.md",),
    ),
    Retired(
        r"name dictionary|name registry|known names?|key of(?= ?\()", "gazetteer, entity linker, alias, normalize_name"
    ),
    Retired(r"linkable|akin", "say it in the field's words: a candidate of entity linking, similar"),
    Retired(
        r"walk(s|ed|ing|er|ers)?",
        "personalised PageRank, expansion, traversal",
        allowed=r"(ast|os|path)\.walk|\.walk\(|walk-?through|random walks?",
    ),
    Retired(r"onward|remainders?", "expansion; residual query"),
    Retired(r"intakes?", "ingestion record"),
    Retired(r"strays?|lacking|anew", "orphan, missing, stale, again", allowed="stray (NUL|print)"),
    Retired(r"rehears\w*|nobody", "warm-up; null queue; no one, nothing"),
    Retired(r"announc\w*", "outbox entry, dispatch"),
    Retired(r"seal(s|ed|ing)?", "close"),
    Retired(r"heard?|hears", "heartbeat"),
    Retired(r"judged?|judges", "score, rank, assess", allowed=r"relevance judge?ments?"),
    Retired(r"(put|puts|putting) (it |them )?aside", "quarantine"),
    Retired(r"catalogues?", "repository"),
    Retired(r"tells? (if|whether)|told", "return whether; say what it does"),
    Retired(r"share of belief|effort of thought", "weight; cost"),
    Retired(
        r"fold(s|ed|ing)?",
        "pack (into a token budget), aggregate (relations), case-fold (text)",
        allowed=r"/v1/fold|\"/fold\"|overflow=.fold|case-?fold(s|ed|ing)?|\d-fold|casefold|standard-folding|folds? of (the )?cross-?validation",
        # Folding is the field's word for what a tokenizer does to case and diacritics (Lucene's ASCIIFoldingFilter).
        files=("platform/interlace/text/*", "tests/unit/text/*", "tests/property/test_text*"),
    ),
    Retired(r"take turns?|takes turns?|in turn|turns? (ended|lost)|turns? of a tenant", "lease, lock"),
    Retired(r"rooms?", "free disk space"),
)
# Identifiers, as they are written.
IDENTIFIERS = (
    Retired(r"\b(def|class) (Turn|turn|hold|shown|reported|described|told)\b", "lease; to_dict, model_dump"),
    Retired(r"\.(shown|reported|described|told)\(", "to_dict, model_dump"),
    Retired(
        r"\b(Measured|KeyGuard|NOBODY|NameDictionary|key_of)\b",
        "MetricsMiddleware, ApiKeyMiddleware, null queue",
        files=("docs/*", "*.md"),
    ),
)


_Rule = tuple[Retired, re.Pattern[str], re.Pattern[str] | None, Callable[[str], str]]


def retired_words(texts: Iterable[Text]) -> Iterator[tuple[str, int, str]]:
    """Yield path, line and a sentence for each use of a retired word."""
    rules: list[_Rule] = [(word, re.compile(rf"\b({word.pattern})\b"), _excuse(word), as_words) for word in WORDS]
    rules += [(word, re.compile(f"({word.pattern})"), _excuse(word), str) for word in IDENTIFIERS]
    for text in texts:
        mine = [rule for rule in rules if not any(fnmatch(text.path, pattern) for pattern in rule[0].files)]
        for number, line in enumerate(text.content.splitlines(), start=1):
            for word, pattern, excuse, form in mine:
                for found in pattern.finditer(form(excuse.sub(" ", line) if excuse else line)):
                    yield text.path, number, f"“{found[1]}” is retired; say: {word.instead}"


def as_words(line: str) -> str:
    """Return a line in lower case with its identifiers taken apart: ``KnownName`` as ``known name``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", line).replace("_", " ").lower()


def _excuse(word: Retired) -> re.Pattern[str] | None:
    return re.compile(word.allowed, re.IGNORECASE) if word.allowed else None
