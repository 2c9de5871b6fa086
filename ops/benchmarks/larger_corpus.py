"""Makes a corpus larger by copies of its documents with shuffled names, so that sizes can be compared and the answers stay the same.

A copy reads like its original but is about someone else: the last words of titles of two words or more are shuffled among the titles
of the same copy, and so are titles of one word. So names, mentions and namesakes grow with the corpus, and no copy answers a question
instead of its original.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from interlace.domain.errors import InvalidInputError
from interlace.entities.gazetteer import Gazetteer
from interlace.entities.normalization import normalize_name, without_disambiguator

# The gazetteer finds names without their leading article, so that is how they are shuffled.
_ARTICLE = re.compile(r"\A(?:The|An?) (?=\S)")
_COPIED = ("queries.jsonl", "qrels.tsv")


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A line of ``corpus.jsonl``."""

    id: str
    title: str
    text: str


def grow_collection(folder: Path, target: Path, size: int, seed: int) -> int:
    """Write a collection whose corpus is ``size`` times as large, with the same questions and judgements.

    Args:
        folder: the collection, in the BEIR layout.
        target: folder to write; made if missing.
        size: 1 is the corpus as it is.
        seed: of the shuffling; the same seed gives the same bytes.

    Returns:
        The number of documents written.

    Raises:
        InvalidInputError: ``size`` is less than 1, or the corpus cannot be read.
    """
    if size < 1:
        raise InvalidInputError(f"A corpus cannot be {size} times as large; sizes begin with 1.")
    documents = read_corpus(folder / "corpus.jsonl")
    target.mkdir(parents=True, exist_ok=True)
    for name in _COPIED:
        (target / name).write_bytes((folder / name).read_bytes())
    written = 0
    with (target / "corpus.jsonl").open("wb") as file:
        for document in grown(documents, size, seed):
            file.write(orjson.dumps({"_id": document.id, "title": document.title, "text": document.text}) + b"\n")
            written += 1
    return written


def read_corpus(path: Path) -> list[CorpusDocument]:
    """Return the documents of a ``corpus.jsonl``.

    Raises:
        InvalidInputError: the file is missing or a line is no document.
    """
    try:
        rows = [orjson.loads(line) for line in path.read_bytes().splitlines() if line.strip()]
        return [CorpusDocument(str(each["_id"]), str(each.get("title", "")), str(each["text"])) for each in rows]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise InvalidInputError(f"{path} cannot be read as documents with _id, title and text.") from error


def grown(documents: Sequence[CorpusDocument], size: int, seed: int) -> Iterator[CorpusDocument]:
    """Yield the documents, then ``size - 1`` copies of them with shuffled names; ids of copies end with ``~`` and a number."""
    yield from documents
    bare = (_ARTICLE.sub("", without_disambiguator(document.title)) for document in documents)
    titles = sorted({title for title in bare if title})
    gazetteer = Gazetteer()
    for title in titles:
        gazetteer.assign(title, [normalize_name(title)])
    for copy in range(1, size):
        names = shuffled(titles, random.Random(f"{seed}:{copy}"))  # noqa: S311 - repeatable, not secret
        for document in documents:
            yield CorpusDocument(
                f"{document.id}~{copy}",
                renamed(document.title, gazetteer, names),
                renamed(document.text, gazetteer, names),
            )


def shuffled(titles: Sequence[str], chance: random.Random) -> dict[str, str]:
    """Return title to new name: the last words of titles of several words are shuffled, and so are titles of one word."""
    single = [title for title in titles if " " not in title]
    several = [title.rsplit(" ", 1) for title in titles if " " in title]
    lasts = [last for _, last in several]
    others = list(single)
    chance.shuffle(lasts)
    chance.shuffle(others)
    return dict(zip(single, others, strict=True)) | {
        f"{first} {last}": f"{first} {other}" for (first, last), other in zip(several, lasts, strict=True)
    }


def renamed(text: str, gazetteer: Gazetteer, names: Mapping[str, str]) -> str:
    """Return a text with every title, the longest first, replaced by its new one."""
    parts: list[str] = []
    at = 0
    for match in gazetteer.find(text):
        parts += [text[at : match.start], names[match.entities[0]]]
        at = match.end
    return "".join([*parts, text[at:]])
