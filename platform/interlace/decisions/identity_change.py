"""What a decision changes in some documents: evidence, mentions, titles and facts move to another entity, and relations are recounted.

Pure functions over what the graph holds; ``step`` reads and writes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from interlace.domain.relations import confidence_level
from interlace.entities.evidence import decided, decode
from interlace.entities.identities import Identities
from interlace.ingestion.change import GraphChange
from interlace.ingestion.versions import Assertion
from interlace.queries.decisions import ReadIdentityFact, ReadIdentityRow


@dataclass(slots=True)
class IdentityChange:
    """Rows to move, the chunks whose mentions move, and the resulting changes of evidence and relations (``shared``)."""

    mentions: list[dict[str, Any]] = field(default_factory=list)
    about: list[dict[str, Any]] = field(default_factory=list)
    fact_ends: list[dict[str, Any]] = field(default_factory=list)
    chunks: set[str] = field(default_factory=set)
    shared: GraphChange = field(default_factory=GraphChange)

    def described_entities(self) -> list[str]:
        """Return the ids of entities that lose or gain a title, a fact or evidence, sorted."""
        moved = {row[side] for row in (*self.about, *self.fact_ends) for side in ("source", "target")}
        return sorted(moved | self.shared.evidence.keys())


def identity_change(documents: Iterable[ReadIdentityRow], identities: Identities) -> IdentityChange:
    """Return what must move in documents so that they follow the identities; each row is dropped once it is counted."""
    change = IdentityChange()
    for row in documents:
        _move_mentions(change, row, identities)
        _move_titles(change, row, identities)
        _move_facts(change, row, identities)
    return change


def _move_mentions(change: IdentityChange, row: ReadIdentityRow, identities: Identities) -> None:
    moved: dict[tuple[str, str, str], str] = {}
    for mention in row.mentions:
        target = identities.resolve(mention.origin, row.document)
        if target == mention.entity:
            continue
        # Mentions by several extractors move together.
        moved[mention.chunk, mention.entity, mention.origin] = target
        _count(change, mention.evidence, mention.origin, mention.entity, target)
    for (chunk, entity, origin), target in sorted(moved.items()):
        change.chunks.add(chunk)
        change.mentions.append({"chunk": chunk, **_move(origin, entity, target)})


def _move_titles(change: IdentityChange, row: ReadIdentityRow, identities: Identities) -> None:
    for about in row.about:
        target = identities.resolve(about.origin, row.document)
        if target != about.entity:
            change.about.append({"document": row.document, **_move(about.origin, about.entity, target)})
            _count(change, about.evidence, about.origin, about.entity, target)


def _move_facts(change: IdentityChange, row: ReadIdentityRow, identities: Identities) -> None:
    before: list[Assertion] = []
    after: list[Assertion] = []
    for fact in row.facts:
        subject, target = fact.subject, fact.object
        for end, origin, entity in _ends(fact):
            now = identities.resolve(origin, row.document)
            if now != entity:
                change.fact_ends.append({"fact": fact.id, "end": end, **_move(origin, entity, now)})
            subject, target = (now, target) if end == "SUBJECT" else (subject, now)
        if fact.object is not None and target is not None:
            level = confidence_level(fact.confidence)
            before += [(fact.subject, fact.predicate, fact.object, level)] if fact.subject != fact.object else []
            after += [(subject, fact.predicate, target, level)] if subject != target else []
    change.shared.relations.subtract(before)
    change.shared.relations.update(after)
    change.shared.count_relation_documents((each[:3] for each in before), (each[:3] for each in after))


def _ends(fact: ReadIdentityFact) -> Iterator[tuple[str, str, str]]:
    yield "SUBJECT", fact.subject_origin, fact.subject
    if fact.object is not None and fact.object_origin is not None:
        yield "OBJECT", fact.object_origin, fact.object


def _move(origin: str, source: str, target: str) -> dict[str, Any]:
    return {"origin": origin, "source": source, "target": target, "keep": None if origin == target else origin}


def _count(change: IdentityChange, lines: Sequence[str] | None, origin: str, source: str, target: str) -> None:
    """Move evidence from one entity to the other."""
    evidence = decode(lines or ())
    change.shared.evidence[source].subtract(decided(evidence, origin, source))
    change.shared.evidence[target].update(decided(evidence, origin, target))
