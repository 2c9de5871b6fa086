"""Read the sentences for summaries, and write the summaries that changed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interlace.communities.records import PreviousState
from interlace.communities.summarise import (
    CENTRAL,
    MAX_SENTENCE_CHARACTERS,
    CommunityText,
    Sentence,
    fact_hash,
    member_hash,
    sentences_of,
    write_text,
)
from interlace.ports.graph import GraphDatabase
from interlace.queries import communities as queries

FACTS_PER_ENTITY = 20
CHUNKS = 5
_BATCH = 100


@dataclass(frozen=True, slots=True)
class TextResult:
    """A community's text, its digests, and whether it was kept from the last refresh."""

    text: CommunityText
    member_hash: str
    fact_hash: str
    reused: bool


def write_texts(
    graph: GraphDatabase, tenant: str, communities: Mapping[str, Sequence[str]], state: PreviousState
) -> Iterator[tuple[str, TextResult]]:
    """Yield each community's id with its text; only texts whose sources changed are written again.

    Args:
        graph: the database.
        tenant: the tenant.
        communities: id, and members with the most central first.
        state: names of entities, and the texts of the last refresh.
    """
    ids = sorted(communities)
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        central = {
            community_id: {member: state.names[member] for member in communities[community_id][:CENTRAL]}
            for community_id in batch
        }
        candidates = _candidates(graph, tenant, central)
        for community_id in batch:
            yield (
                community_id,
                _written(
                    community_id, communities[community_id], central[community_id], candidates[community_id], state
                ),
            )


def _written(
    community_id: str,
    members: Sequence[str],
    central: Mapping[str, str],
    candidates: Sequence[Sentence],
    state: PreviousState,
) -> TextResult:
    digests = member_hash(members), fact_hash(central, candidates)
    text, *before = state.texts.get(community_id, (None, "", ""))
    if text and tuple(before) == digests:
        return TextResult(text, *digests, reused=True)
    return TextResult(write_text(central, candidates), *digests, reused=False)


def _candidates(
    graph: GraphDatabase, tenant: str, central: Mapping[str, Mapping[str, str]]
) -> dict[str, list[Sentence]]:
    """Return sentences of facts; for communities without any, sentences of the chunks that mention most of them."""
    found: dict[str, list[Sentence]] = defaultdict(list)
    ids = list(central)
    for fact in queries.read_facts(
        graph, tenant=tenant, rows=_rows(ids, central), max_characters=MAX_SENTENCE_CHARACTERS, limit=FACTS_PER_ENTITY
    ):
        found[ids[fact.row]].append(Sentence(fact.id, fact.sentence, frozenset(fact.entities)))
    without_facts = [community_id for community_id in ids if not found[community_id]]
    if without_facts:
        for row in queries.read_chunks(graph, tenant=tenant, rows=_rows(without_facts, central), limit=CHUNKS):
            mentions: dict[str, list[int]] = defaultdict(list)
            for mention in row.mentions:
                mentions[mention.id] += mention.offsets
            found[without_facts[row.row]] += sentences_of(row.id, row.text, mentions)
    return found


def _rows(ids: Sequence[str], central: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    return [{"number": number, "central": list(central[community_id])} for number, community_id in enumerate(ids)]
