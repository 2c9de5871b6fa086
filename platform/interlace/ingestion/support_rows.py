"""Rows that a chunk contributes beyond its own node: mentions, facts, and the evidence that they give for entities and relations."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from interlace.domain.documents import Chunk, ParsedDocument
from interlace.domain.extraction import ACRONYM, BY_AUTHORS, DECLARED_TYPES, Extraction, Fact, Mention
from interlace.domain.ids import entity_id
from interlace.domain.ids import fact_id as id_of_fact
from interlace.domain.relations import confidence_level
from interlace.entities.context import context_words
from interlace.entities.evidence import AGREED, Evidence, decided, encode
from interlace.entities.normalization import clean_name, normalize_name
from interlace.ingestion.versions import Assertion

Resolve = Callable[[str], str]
"""Takes an origin, the id of an entity by its form alone, and returns the id of the entity that decisions map it to in a document."""


@dataclass(slots=True)
class ChunkSupport:
    """What one chunk contributes beyond its own node."""

    mentions: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    evidence: dict[str, Counter[Evidence]] = field(default_factory=dict)
    relations: Counter[Assertion] = field(default_factory=Counter)


def mention_entity(tenant: str, mention: Mention) -> str:
    """Return the id of the entity that a mention names; empty when the name has no word."""
    key = normalize_name(mention.meant or mention.surface)
    declared = mention.type if mention.via in BY_AUTHORS and mention.type in DECLARED_TYPES else ""
    return entity_id(tenant, key, declared) if key else ""


def chunk_support(
    tenant: str, chunk: Chunk, extraction: Extraction, title_entity: str, resolve: Resolve = lambda origin: origin
) -> ChunkSupport:
    """Return mentions, facts, evidence and relations that a chunk contributes.

    The same chunk always contributes the same under the same decisions.

    Args:
        tenant: the tenant.
        chunk: the chunk.
        extraction: what was found in it.
        title_entity: origin of the entity that its document's title names.
        resolve: what decisions make of origins in its document.
    """
    support = extraction_support(tenant, chunk, extraction, {normalize_name(chunk.path[0]): title_entity}, resolve)
    resolved = resolve(title_entity)
    properties = {"via": "title", "count": 1, "confidence": 1.0} | with_origin(title_entity, resolved)
    support.mentions.append({"chunk": chunk.id, "entity": resolved, "properties": properties})
    return support


def extraction_support(
    tenant: str,
    chunk: Chunk,
    extraction: Extraction,
    known: Mapping[str, str],
    resolve: Resolve,
    sources: Mapping[str, str] = MappingProxyType({}),
) -> ChunkSupport:
    """Return what an extraction contributes to a chunk.

    Args:
        tenant: the tenant that owns the chunk.
        chunk: the chunk; only its id and text are used.
        extraction: mentions and facts.
        known: origins of further entities that the chunk names, by normalised form; facts may be about them, and mentions agree with them.
        resolve: what decisions make of origins in its document.
        sources: ``via`` of mentions to the source of their evidence, where the two differ.
    """
    support = ChunkSupport()
    by_key = dict(known)
    agreed = frozenset(known.values()) if sources else frozenset()
    grouped: dict[tuple[str, str], list[Mention]] = {}
    for mention in extraction.mentions:
        entity = mention_entity(tenant, mention)
        if entity:
            for key in filter(None, map(normalize_name, (mention.surface, mention.meant))):
                by_key.setdefault(key, entity)
            grouped.setdefault((entity, mention.via), []).append(mention)
    context = context_words(
        chunk.text, {pair: [(mention.start, mention.end) for mention in found] for pair, found in grouped.items()}
    )
    for (entity, via), mentions in sorted(grouped.items()):
        evidence = Counter(
            Evidence(
                sources.get(via, via),
                mention.type,
                clean_name(mention.surface if via == ACRONYM else mention.meant or mention.surface),
            )
            for mention in mentions
        )
        if entity in agreed:
            evidence[Evidence(AGREED, "", clean_name(mentions[0].surface))] = 1
        resolved = resolve(entity)
        support.evidence.setdefault(resolved, Counter()).update(decided(evidence, entity, resolved))
        properties = _mention_properties(via, mentions, evidence, context[entity, via]) | with_origin(entity, resolved)
        support.mentions.append({"chunk": chunk.id, "entity": resolved, "properties": properties})
    _add_facts(support, tenant, chunk, extraction, by_key, resolve)
    return support


def with_origin(origin: str, entity_id: str) -> dict[str, str]:
    """Return the property that keeps the origin of a relationship to an entity; none where decisions change nothing."""
    return {"origin": origin} if origin != entity_id else {}


def _mention_properties(
    via: str, mentions: list[Mention], evidence: Counter[Evidence], context: Sequence[str]
) -> dict[str, Any]:
    offsets = sorted((mention.start, mention.end) for mention in mentions)
    return {
        "via": via,
        "count": len(mentions),
        "confidence": max(mention.confidence for mention in mentions),
        "offsets": [edge for span in offsets for edge in span],
        "evidence": encode(evidence),
        "contextWords": " ".join(context),
    }


def _add_facts(
    support: ChunkSupport, tenant: str, chunk: Chunk, extraction: Extraction, by_key: dict[str, str], resolve: Resolve
) -> None:
    seen: set[str] = set()
    for fact in extraction.facts:
        subject = _end(tenant, fact.subject, fact.subject_type, by_key)
        target = _end(tenant, fact.object, fact.object_type, by_key)
        fact_id = _fact_id(chunk.id, fact)
        if fact_id in seen or subject is None:
            continue
        seen.add(fact_id)
        origins = subject, target
        subject, target = resolve(subject), target and resolve(target)
        support.facts.append(
            {
                "id": fact_id,
                "chunk": chunk.id,
                "subject": subject,
                "object": target,
                "subjectOrigin": origins[0] if origins[0] != subject else None,
                "objectOrigin": origins[1] if origins[1] != target else None,
                "properties": {
                    "tenant": tenant,
                    "name": f"{fact.subject} {fact.predicate.replace('_', ' ').lower()} {fact.object}",
                    "predicate": fact.predicate,
                    "subjectText": fact.subject,
                    "objectText": fact.object,
                    "sentence": chunk.text[fact.start : fact.end],
                    "start": fact.start,
                    "end": fact.end,
                    "confidence": fact.confidence,
                    "extractor": fact.extractor,
                },
            }
        )
        if target is not None and target != subject:
            support.relations[subject, fact.predicate, target, confidence_level(fact.confidence)] += 1


def _end(tenant: str, name: str, declared: str, by_key: Mapping[str, str]) -> str | None:
    """Return the entity at one end of a fact: the declared one of its type, else the one that the chunk calls by that name."""
    key = normalize_name(name)
    return entity_id(tenant, key, declared) if declared and key else by_key.get(key)


def _fact_id(chunk_id: str, fact: Fact) -> str:
    # A skill, its tool and its keyword may share a name; a fact without declared types keeps the id it always had.
    subject, target = normalize_name(fact.subject), fact.object
    if fact.subject_type or fact.object_type:
        subject, target = f"{fact.subject_type}\t{subject}", f"{fact.object_type}\t{target}"
    return id_of_fact(chunk_id, subject, fact.predicate, target)


def title_entity(tenant: str, parsed: ParsedDocument) -> tuple[str, Counter[Evidence]]:
    """Return the id of the entity that a document's title names, and the evidence that title and aliases give for it."""
    evidence = Counter({Evidence("title", parsed.declares, clean_name(parsed.title)): 1})
    for alias in parsed.aliases:
        if normalize_name(alias):
            evidence[Evidence("alias", parsed.declares, clean_name(alias))] = 1
    return entity_id(tenant, normalize_name(parsed.title) or clean_name(parsed.title), parsed.declares), evidence
