"""Random documents from the evaluation sets, and random edits of them, each a function of a seed."""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from interlace.evaluation.collection import Collection, load_collection

SETS = ("2wiki", "hotpotqa", "musique")
_FILLERS = 120
_SENTENCE = re.compile(r"(?<=[.!?]) +")
_TAGS = ("film", "people/german", "places", "music")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One record of a set."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Pool:
    """What is drawn from one set: all its gold chunks, and some of the others."""

    collection: Collection
    chunks: Mapping[str, Chunk]
    fillers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """Documents by source URI.

    Args:
        gone: documents that come and are deleted.
        stays: documents that come and stay.
        edited: other versions of those that stay.
        questions: questions whose gold chunks are all in ``stays``.
    """

    gone: Mapping[str, str]
    stays: Mapping[str, str]
    edited: Mapping[str, str]
    questions: tuple[str, ...]


def load_pool(folder: Path) -> Pool:
    """Read a set."""
    collection = load_collection(folder)
    records = (orjson.loads(line) for line in collection.corpus.read_bytes().splitlines())
    chunks = {row["_id"]: Chunk(row["_id"], row["title"], row["text"]) for row in records}
    gold = collection.relevant
    others = sorted(chunks.keys() - gold)
    fillers = tuple(random.Random(folder.name).sample(others, _FILLERS))
    kept = {identity: chunks[identity] for identity in sorted(gold | set(fillers))}
    return Pool(collection, kept, fillers)


def draw_case(pool: Pool, chance: random.Random) -> Case:
    """Draw documents of 10 to 24 chunks on each side, two questions among those that stay and one among those that go."""
    asked = chance.sample(sorted(pool.collection.queries), 3)
    *staying, going = [set(pool.collection.qrels[question]) for question in asked]
    stays = set().union(*staying)
    gone = going - stays
    fillers = chance.sample(pool.fillers, 40)
    stays.update(fillers[: chance.randint(8, 20)])
    gone.update(fillers[20 : 20 + chance.randint(8, 20)])
    kept = _documents(pool, sorted(stays), chance)
    questions = tuple(pool.collection.queries[question] for question in asked[:2])
    edited = {uri: edit(uri, content, chance) if chance.random() < 0.5 else content for uri, content in kept.items()}
    return Case(_documents(pool, sorted(gone), chance), kept, edited, questions)


def shuffled(documents: Mapping[str, str], chance: random.Random) -> dict[str, str]:
    """Return the documents in another order."""
    uris = sorted(documents)
    chance.shuffle(uris)
    return {uri: documents[uri] for uri in uris}


def _documents(pool: Pool, ids: Sequence[str], chance: random.Random) -> dict[str, str]:
    """Make records of single chunks, and Markdown documents of several."""
    rest = [pool.chunks[identity] for identity in chance.sample(ids, len(ids))]
    documents = {}
    while rest:
        size = chance.choice((1, 1, 2, 3))
        group, rest = rest[:size], rest[size:]
        first = group[0]
        if len(group) == 1:
            record = {"id": first.id, "title": first.title, "text": first.text, "tags": chance.sample(_TAGS, 1)}
            documents[f"docs/{first.id}.json"] = json.dumps(record)
        else:
            documents[f"docs/{first.id}.md"] = _markdown(pool, group, chance)
    return documents


def _markdown(pool: Pool, group: Sequence[Chunk], chance: random.Random) -> str:
    """Return a document that tags, names and links: an alias of its own, and links to two other chunks, by name and by path."""
    others = [pool.chunks[identity] for identity in chance.sample(sorted(pool.chunks), 3)]
    head = {"title": group[0].title, "tags": chance.sample(_TAGS, 2), "aliases": [others[0].title]}
    parts = [_front_matter(head), group[0].text]
    for chunk in group[1:]:
        parts += [f"## {chunk.title}", *_SENTENCE.split(chunk.text, maxsplit=1)]
    parts.append(f"See [[{others[1].title}#place]] and [it]({others[2].id}.md).")
    return "\n\n".join(parts)


def _front_matter(fields: Mapping[str, object]) -> str:
    lines = "\n".join(f"{key}: {json.dumps(value)}" for key, value in fields.items())
    return f"---\n{lines}\n---"


def edit(uri: str, content: str, chance: random.Random) -> str:
    """Change a sentence, insert a paragraph, move paragraphs or rename the title."""
    if uri.endswith(".json"):
        record = json.loads(content)
        if chance.random() < 0.25:
            record["title"] = _renamed(record["title"], chance)
        else:
            record["text"] = "\n\n".join(_rearranged(record["text"].split("\n\n"), chance))
        return json.dumps(record)
    head, *parts = content.split("\n\n")
    if chance.random() < 0.25:
        fields = {key: json.loads(value) for key, value in re.findall(r"^(\w+): (.+)$", head, re.MULTILINE)}
        head = _front_matter({**fields, "title": _renamed(fields["title"], chance)})
    return "\n\n".join([head, *_rearranged(parts, chance)])


def _renamed(title: str, chance: random.Random) -> str:
    words = title.split()
    return " ".join(chance.sample(words, len(words))) + chance.choice(("", " II", " (film)"))


def _rearranged(paragraphs: list[str], chance: random.Random) -> list[str]:
    what = chance.choice(("sentence", "insert", "move"))
    at = chance.randrange(len(paragraphs))
    if what == "move" and len(paragraphs) > 1:
        return [*paragraphs[at:], *paragraphs[:at]]
    if what == "insert":
        return [*paragraphs[:at], "Old Mill Hall stands in Vienna. Fritz Lang bought it.", *paragraphs[at:]]
    sentences = _SENTENCE.split(paragraphs[at])
    sentences[chance.randrange(len(sentences))] = "Ada Lovelace wrote that Vienna lies on the Danube."
    return [*paragraphs[:at], " ".join(sentences), *paragraphs[at + 1 :]]
