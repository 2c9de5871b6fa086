"""What a language model's evidence changes in the graph: differences of mentions, facts, entities and relations, as for new document versions.

Pure functions: given the graph's state of some chunks and the records of their texts, they return what to write.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from interlace.domain.documents import Chunk
from interlace.domain.extraction import Extraction
from interlace.domain.relations import confidence_level
from interlace.enrichment.alignment import align
from interlace.enrichment.setup import EXTRACTOR_PREFIX, ExtractionSetup
from interlace.entities.evidence import decided, decode
from interlace.entities.identities import Transition
from interlace.entities.normalization import normalize_name
from interlace.extraction.grounding import VIA, Grounded, ReadText, ground
from interlace.ingestion.change import GraphChange
from interlace.ingestion.relink import OwnMentions
from interlace.ingestion.support_rows import ChunkSupport, Resolve, extraction_support
from interlace.ingestion.versions import Assertion
from interlace.queries.extractions import DocumentRelationsRow, ReadEnrichmentFact, ReadEnrichmentRow


@dataclass(slots=True)
class EvidenceChange:
    """Everything that one transaction will write.

    Args:
        change: mentions, facts, and differences of evidence and relations.
        mentions: all extracted mentions that the chunks have afterwards, by chunk.
        renewed: chunks from which an older model's evidence is removed first.
        confirmed: facts of other extractors that the model states too.
        records: the record that each chunk was read from.
        read: chunks by document.
        failed: those of them for which the model gave no usable answer.
        dropped: what was dropped of the model's output, by reason.
    """

    change: GraphChange = field(default_factory=GraphChange)
    mentions: dict[str, OwnMentions] = field(default_factory=dict)
    renewed: list[str] = field(default_factory=list)
    confirmed: list[dict[str, Any]] = field(default_factory=list)
    records: list[dict[str, str | None]] = field(default_factory=list)
    read: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)


def evidence_change(
    tenant: str,
    rows: Sequence[ReadEnrichmentRow],
    outputs: Mapping[str, str],
    relations: Sequence[DocumentRelationsRow],
    setup: ExtractionSetup,
    transition: Transition | None = None,
) -> EvidenceChange:
    """Return what the records of some chunks change; chunks without a record, and those already read, are left alone.

    Args:
        tenant: whose chunks.
        rows: the graph's state of the chunks.
        outputs: the model's output, as JSON, by record.
        relations: what the chunks' documents assert now.
        setup: what was asked.
        transition: the entities that result from decisions; None if there are none.
    """
    result = EvidenceChange()
    sources = {VIA: setup.types or VIA}
    before: dict[str, Counter[Assertion]] = defaultdict(Counter)
    for each in relations:
        key = (each.subject, each.predicate, each.object, confidence_level(each.confidence))
        before[each.document][key] += each.facts
    after = {document: Counter(counts) for document, counts in before.items()}
    for row in sorted(rows, key=lambda row: row.id):
        record = setup.record_id(tenant, row.checksum)
        if row.current or record not in outputs:
            continue
        counts = after.setdefault(row.document, Counter())
        for fact in row.facts:
            # Its facts may come and go without a change of other evidence.
            result.change.evidence[fact.subject].update(())
        _subtract(result, row, counts)
        aligned = align(_extraction(result, row, outputs[record], setup), row)
        support = extraction_support(
            tenant, _chunk(row), aligned.extraction, aligned.known, _resolver(row, transition), sources
        )
        _add(result, row, support, setup, counts)
        result.records.append({"chunk": row.id, "record": record, "manner": setup.interpretation})
        result.read[row.document] += 1
    for document, counts in after.items():
        previous = before.get(document, Counter())
        difference = Counter(counts)
        difference.subtract(previous)
        result.change.relations.update(difference)
        result.change.count_relation_documents({each[:3] for each in +previous}, {each[:3] for each in +counts})
    return result


def _subtract(result: EvidenceChange, row: ReadEnrichmentRow, relations: Counter[Assertion]) -> None:
    """Subtract the evidence of an older model, prompt or schema."""
    if not row.read:
        return
    result.renewed.append(row.id)
    for mention in row.mentions:
        if mention.via == VIA:
            evidence = decided(decode(mention.evidence or ()), mention.origin, mention.entity)
            result.change.evidence[mention.entity].subtract(evidence)
    for fact in row.facts:
        if fact.extractor.startswith(EXTRACTOR_PREFIX):
            _count(relations, fact, fact.confidence, -1)
        elif fact.own_confidence is not None:
            _count(relations, fact, fact.confidence, -1)
            _count(relations, fact, fact.own_confidence, 1)


def _resolver(row: ReadEnrichmentRow, transition: Transition | None) -> Resolve:
    """Return a function that applies decisions to origins in the document of a chunk."""
    return lambda origin: transition.resolve(origin, row.document) if transition else origin


def _extraction(result: EvidenceChange, row: ReadEnrichmentRow, output: str, setup: ExtractionSetup) -> Extraction:
    """Return the part of a model's output that the chunk supports; the rest is counted."""
    grounded = _grounded(row, output, setup)
    result.failed[row.document] += grounded is None
    found = grounded or Grounded()
    result.dropped.update(found.dropped)
    return found.extraction


def _add(
    result: EvidenceChange,
    row: ReadEnrichmentRow,
    support: ChunkSupport,
    setup: ExtractionSetup,
    relations: Counter[Assertion],
) -> None:
    relations.update(support.relations)
    _agree(result, row, support, setup, relations)
    result.change.mentions += support.mentions
    result.change.facts += support.facts
    for entity, evidence in support.evidence.items():
        result.change.evidence[entity].update(evidence)
    existing = [(each.entity, each.via, each.offsets) for each in row.mentions if each.via not in {VIA, "title"}]
    added = [(each["entity"], VIA, each["properties"]["offsets"]) for each in support.mentions]
    result.mentions[row.id] = existing + added


def _grounded(row: ReadEnrichmentRow, output: str, setup: ExtractionSetup) -> Grounded | None:
    """Return the part that the chunk supports; None if the record says that the model gave no usable answer."""
    parsed = orjson.loads(output)
    if "entities" not in parsed:
        return None
    return ground(parsed, ReadText(row.text, (row.title,)), setup.schema, setup.extractor)


def _chunk(row: ReadEnrichmentRow) -> Chunk:
    return Chunk(row.id, row.document, (row.title,), 0, 0, row.text, 0, len(row.text), 0)


def _count(relations: Counter[Assertion], fact: ReadEnrichmentFact, confidence: float, number: int) -> None:
    if fact.object is not None and fact.object != fact.subject:
        relations[fact.subject, fact.predicate, fact.object, confidence_level(confidence)] += number


def _agree(
    result: EvidenceChange,
    row: ReadEnrichmentRow,
    support: ChunkSupport,
    setup: ExtractionSetup,
    relations: Counter[Assertion],
) -> None:
    """Confirm facts that the chunk already asserts instead of writing them twice."""
    existing = {_statement(fact): fact for fact in row.facts if not fact.extractor.startswith(EXTRACTOR_PREFIX)}
    identities = {fact.id for fact in existing.values()}
    new: list[dict[str, Any]] = []
    confirmed: dict[str, dict[str, Any]] = {}
    for fact in support.facts:
        properties = fact["properties"]
        target = fact["object"] or normalize_name(properties["objectText"])
        same = existing.get((fact["subject"], properties["predicate"], target))
        if same is None and fact["id"] not in identities:
            new.append(fact)
            continue
        if fact["object"] is not None and fact["object"] != fact["subject"]:
            level = confidence_level(properties["confidence"])
            relations[fact["subject"], properties["predicate"], fact["object"], level] -= 1
        if same is not None and same.id not in confirmed:
            confirmed[same.id] = _confirmed(same, properties["confidence"], setup.model)
            _count(relations, same, confirmed[same.id]["own"], -1)
            _count(relations, same, confirmed[same.id]["confidence"], 1)
    support.facts[:] = new
    result.confirmed += confirmed.values()


def _statement(fact: ReadEnrichmentFact) -> tuple[str, str, str]:
    return fact.subject, fact.predicate, fact.object or normalize_name(fact.object_text)


def _confirmed(fact: ReadEnrichmentFact, confidence: float, model: str) -> dict[str, Any]:
    """Return a fact's confidence when two extractors agree that may err independently: 1 - (1 - p)(1 - q), the noisy or."""
    own = fact.own_confidence if fact.own_confidence is not None else fact.confidence
    return {"id": fact.id, "own": own, "confidence": round(1 - (1 - own) * (1 - confidence), 4), "by": model}
