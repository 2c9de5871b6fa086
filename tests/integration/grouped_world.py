"""Documents, groups and readers drawn at random, with marks of each document that no one may meet who may not see it."""

import random
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interlace.domain.documents import Source
from interlace.domain.ids import document_id

GROUPS = ("board", "legal", "press", "lab")
_WORDS = ("harbour", "crane", "winch", "tide", "ledger", "lantern", "rope", "signal")


@dataclass(frozen=True, slots=True)
class MarkedDocument:
    """A document and its marks: words of it, of its title, file name, tag, metadata, heading, of a name in it and of an alias that stand nowhere else."""

    uri: str
    text: str
    marks: tuple[str, ...]

    def source(self, access: tuple[str, ...]) -> Source:
        """Return the document with the groups of readers that its sender gives it."""
        return Source(self.uri, "text/markdown", self.text.encode(), {"access": list(access)} if access else {})

    def identity(self, tenant: str) -> str:
        """Return its id in a tenant."""
        return document_id(tenant, self.uri)


def marked_documents(rng: random.Random, count: int) -> list[MarkedDocument]:
    """Draw documents that share words, tags, names and links."""
    marks = [tuple(_mark(rng) for _ in range(8)) for _ in range(count)]
    uris = [f"{file}/SKILL.md" if at % 4 == 0 else f"notes/{file}.md" for at, (_, _, file, *_) in enumerate(marks)]
    return [_document(rng, uris, at, marks[at]) for at in range(count)]


def _document(rng: random.Random, uris: list[str], at: int, marks: tuple[str, ...]) -> MarkedDocument:
    text, title, _, tag, value, heading, name, alias = marks
    words = " ".join(rng.choices(_WORDS, k=6))
    other = rng.choice(uris).removeprefix("notes/").removesuffix(".md").removesuffix("/SKILL")
    if at % 4 == 0:
        return MarkedDocument(uris[at], _skill(rng, marks, words, other), marks)
    # Documents about one place, whose aliases are names of the same entity.
    headline = "Port Ellery" if at % 3 == 2 else f"{title.capitalize()} {rng.choice(_WORDS)}"
    atom = f"atlas_id: note{at}\n" if at % 2 else ""
    body = (
        f"---\ntags: [shared, {tag}]\nowner: {value}\n{atom}"
        f"aliases: [{alias.capitalize()} Point]\n---\n# {headline}\n\n"
        f"Mira Quill of {name.capitalize()} Works wrote {text} about the {words}. See [[{other}]].\n\n"
        f"## {heading.capitalize()}\n\nMira Quill keeps the {rng.choice(_WORDS)} in Port Ellery with [[hoist#tool]].\n"
    )
    # Who links to a document names its file, so that this mark is one of the linking document too.
    return MarkedDocument(uris[at], body, marks)


def _skill(rng: random.Random, marks: tuple[str, ...], words: str, other: str) -> str:
    """Return a skill with a tool that others have too, and one of its own; one keyword is shared."""
    text, title, file, tag, value, heading, name, alias = marks
    return (
        f"---\nname: {file}\ndescription: Mira Quill wrote {text} about the {words}.\ntags: [shared, {tag}]\nowner: {value}\n"
        f"aliases: [{alias.capitalize()} Point]\nrouting_keywords: [crane, {rng.choice(_WORDS)}, {heading}]\ntools:\n"
        f"  - {{name: hoist, description: Lifts the {rng.choice(_WORDS)} of {name.capitalize()} Works by {title}.}}\n"
        f"  - {{name: {title}, description: Keeps the {heading} by a crane in Port Ellery.}}\n---\nSee [[{other}]].\n"
    )


def _mark(rng: random.Random) -> str:
    return "zq" + "".join(rng.choices(string.ascii_lowercase, k=9))


def drawn_access(rng: random.Random) -> tuple[str, ...]:
    """Draw the groups of a document; often none, which opens it to everybody."""
    return tuple(sorted(rng.sample(GROUPS, rng.choice((0, 0, 1, 1, 2)))))


def may_see(groups: tuple[str, ...], access: tuple[str, ...]) -> bool:
    """Return whether a reader of these groups may see a document."""
    return not access or not set(groups).isdisjoint(access)


def hidden_marks(
    documents: list[MarkedDocument], access: dict[str, tuple[str, ...]], groups: tuple[str, ...]
) -> set[str]:
    """Return the marks of what a reader may not see, without those that stand in what it may see."""
    seen = "\n".join(each.uri + each.text for each in documents if may_see(groups, access[each.uri])).lower()
    return {
        mark for each in documents if not may_see(groups, access[each.uri]) for mark in each.marks if mark not in seen
    }


def without_times(answer: Any) -> Any:
    """Return a JSON answer without what differs from one run to the next: times, and figures that count work."""
    if isinstance(answer, dict):
        return {
            key: without_times(value)
            for key, value in answer.items()
            if key not in {"timings", "indexed_at", "seconds"}
        }
    return [without_times(each) for each in answer] if isinstance(answer, list) else answer


def questions(rng: random.Random) -> Iterator[dict[str, Any]]:
    """Yield bodies of questions in every mode that a reader may ask in."""
    text = f"What does Mira Quill keep near the {rng.choice(_WORDS)} and {rng.choice(_WORDS)}?"
    for mode in ("auto", "hybrid", "graph_only", "vector_only", "keyword_only", "metadata_only"):
        yield {"query": text, "mode": mode, "explain": True, "limit": 10}
    # One name in part, and every boost.
    yield {
        "query": f"What of Quill Works and the {rng.choice(_WORDS)} of Ellery Point?",
        "boosts": ["entity", "precision", "degree"],
        "explain": True,
    }
    yield {
        "query": "#shared notes",
        "explain": True,
        "filters": {"must": [{"field": "tags", "op": "eq", "value": "shared"}]},
    }


def reads(rng: random.Random, documents: list[MarkedDocument], tenant: str) -> Iterator[tuple[str, str, Any]]:
    """Yield method, path and body of the calls beside questions that read of what a reader may see."""
    word = rng.choice(_WORDS)
    for match in ("fts", "fuzzy", "exact", "regex"):
        body = {"query": word, "limit": 10, "options": {"match": match}}
        yield "POST", "/v1/linkgraph/search", body
    for name in ("Mira Quill", "Port Ellery", f"{word} port elery"):
        yield "POST", "/v1/search/entities", {"query": name, "limit": 25}
    yield "GET", "/v1/counts", None
    yield "POST", "/v1/atoms/search", {"query": f"Mira Quill and the {word} of Port Ellery", "limit": 10}
    for each in documents:
        stem = each.identity(tenant)
        yield "GET", f"/v1/linkgraph/{stem}/neighbors?hops=2", None
        yield "GET", f"/v1/linkgraph/{stem}/related", None
        yield "GET", f"/v1/linkgraph/{stem}/metadata", None


def reads_of_tools(rng: random.Random, marks: tuple[str, ...] = ()) -> Iterator[tuple[str, str, Any]]:
    """Yield method, path and body of the calls that read of tools and skills."""
    for text in ("hoist", f"crane to lift the {rng.choice(_WORDS)}", *(f"crane for {mark}" for mark in marks)):
        yield "POST", "/v1/tools/route", {"query": text, "limit": 20}
    yield "GET", f"/v1/skills?limit={rng.choice((1, 50))}", None


def reads_of_entities(ids: list[str]) -> Iterator[tuple[str, str, Any]]:
    """Yield method, path and body of the calls that read of entities."""
    for each in ids:
        yield "GET", f"/v1/entities/{each}", None
        yield "GET", f"/v1/entities/{each}/mentions", None
        yield "GET", f"/v1/entities/{each}/facts?limit=3", None
        yield "GET", f"/v1/entities/{each}/neighbors?hops=2&min_confidence=0.1", None
        yield "GET", f"/v1/entities/{each}/neighbors?direction=out&type=Place&type=Person", None
        yield "GET", f"/v1/entities/{each}/paths?to={ids[0]}", None
