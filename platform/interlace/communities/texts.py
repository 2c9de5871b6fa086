"""Gathers what summaries are made of, and writes those that have changed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interlace.communities.store import State
from interlace.communities.summarise import (
    CENTRAL,
    LONGEST,
    Candidate,
    Text,
    fact_hash,
    member_hash,
    sentences_of,
    write_text,
)
from interlace.cypher_files import query
from interlace.ports.graph import GraphDatabase

_FACTS = query("communities/read_facts")
_READ_CHUNKS = query("communities/read_chunks")

FACTS_PER_NAME = 20
CHUNKS = 5
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Written:
    """A community's text, its digests, and whether it was taken over from the last refresh."""

    text: Text
    member_hash: str
    fact_hash: str
    reused: bool


def write_texts(
    graph: GraphDatabase, tenant: str, communities: Mapping[str, Sequence[str]], state: State
) -> Iterator[tuple[str, Written]]:
    """Yield each community's id with its text; only what changed is written anew.

    Args:
        graph: the database.
        tenant: whose.
        communities: id, and members with the most central first.
        state: names, and the texts of the last refresh.
    """
    ids = sorted(communities)
    for start in range(0, len(ids), _BATCH):
        batch = ids[start : start + _BATCH]
        central = {
            identity: {member: state.names[member] for member in communities[identity][:CENTRAL]} for identity in batch
        }
        candidates = _candidates(graph, tenant, central)
        for identity in batch:
            yield identity, _written(identity, communities[identity], central[identity], candidates[identity], state)


def _written(
    identity: str, members: Sequence[str], central: Mapping[str, str], candidates: Sequence[Candidate], state: State
) -> Written:
    digests = member_hash(members), fact_hash(central, candidates)
    held, *before = state.texts.get(identity, (None, "", ""))
    if held and tuple(before) == digests:
        return Written(held, *digests, reused=True)
    return Written(write_text(central, candidates), *digests, reused=False)


def _candidates(
    graph: GraphDatabase, tenant: str, central: Mapping[str, Mapping[str, str]]
) -> dict[str, list[Candidate]]:
    """Return sentences of facts; for communities without any, sentences of the chunks that mention them most."""
    found: dict[str, list[Candidate]] = defaultdict(list)
    ids = list(central)
    for row in graph.run(_FACTS, tenant=tenant, rows=_rows(ids, central), longest=LONGEST, limit=FACTS_PER_NAME):
        found[ids[row["row"]]].append(Candidate(row["id"], row["sentence"], frozenset(row["names"])))
    bare = [identity for identity in ids if not found[identity]]
    if bare:
        for row in graph.run(_READ_CHUNKS, tenant=tenant, rows=_rows(bare, central), limit=CHUNKS):
            mentions: dict[str, list[int]] = defaultdict(list)
            for mention in row["mentions"]:
                mentions[mention["id"]] += mention["offsets"]
            found[bare[row["row"]]] += sentences_of(row["id"], row["text"], mentions)
    return found


def _rows(ids: Sequence[str], central: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    return [{"number": number, "central": list(central[identity])} for number, identity in enumerate(ids)]
