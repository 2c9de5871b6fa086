"""What a change costs: as much as what changed, however long the document and however well known the names in it.

Costs are processor time, which other work on the machine hardly changes.
"""

import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psutil
import pytest
from tests.integration.ingestion_world import World
from tests.integration.watched_models import WatchedEmbedder, WatchedExtractor

from interlace.domain.ids import document_id, entity_id
from interlace.entities.evidence import Evidence, encode
from interlace.entities.normalization import normalize_name
from interlace.settings import Settings
from interlace.vectors.windows import windows
from interlace_stack.status import status

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PAGES = 200
PARAGRAPHS = 4
"""A page; of 100 words each."""

FIRST = (
    "Ada",
    "Anna",
    "Berta",
    "Carl",
    "Clara",
    "Emil",
    "Erich",
    "Fritz",
    "Georg",
    "Hanna",
    "Ida",
    "Karl",
    "Lise",
    "Marie",
    "Otto",
)
LAST = (
    "Abel",
    "Bauer",
    "Curie",
    "Ebert",
    "Fuchs",
    "Graf",
    "Helm",
    "Keller",
    "Lang",
    "Meitner",
    "Noether",
    "Pommer",
    "Roth",
    "Vogel",
)
PLACES = (
    "Vienna",
    "Berlin",
    "Rome",
    "Paris",
    "Prague",
    "Zurich",
    "Babelsberg",
    "Hamburg",
    "Lyon",
    "Turin",
    "Madrid",
    "Oslo",
    "Graz",
)
TEMPLATES = (
    "{a} was born in {p} and met {b} there in {y}.",
    "In {p}, {a} founded a studio that {b} bought {n} years later.",
    "{b} wrote to {a} about the river, the mill and the {n} houses of {p}.",
    "No one in {p} knew why {a} had left the house of {b} in {y}.",
    "The letters of {a} lie in the archive of {p}, {n} boxes of them.",
    "After the war {a} directed a film in {p}, which {b} never saw.",
)


@pytest.fixture(scope="module")
def watched(world: World, stack: Settings) -> Iterator[World]:
    """A world whose models tell what they read."""
    assert world.platform.embedder
    made = World(stack)
    vars(made.platform)["extractor"] = WatchedExtractor(world.platform.extractor)
    vars(made.platform)["embedder"] = WatchedEmbedder(world.platform.embedder)
    yield made
    made.close()


def paragraph(chance: random.Random) -> str:
    words: list[str] = []
    while len(words) < 100:
        a, b = (f"{chance.choice(FIRST)} {chance.choice(LAST)}" for _ in range(2))
        sentence = chance.choice(TEMPLATES)
        filled = sentence.format(
            a=a, b=b, p=chance.choice(PLACES), y=chance.randint(1600, 1999), n=chance.randint(2, 99)
        )
        words += filled.split()
    return " ".join(words)


def book(pages: list[list[str]]) -> str:
    return "# The Book\n\n" + "\n\n".join(
        f"## Page {number}\n\n" + "\n\n".join(paragraphs) for number, paragraphs in enumerate(pages)
    )


Cost = Callable[[Callable[[], object]], float]


@pytest.fixture(scope="module")
def cost(stack: Settings) -> Cost:
    """What some work costs: seconds of processor time of this process and the stack's programs."""
    processes = [psutil.Process(), *(psutil.Process(program.pid) for program in status(stack) if program.pid)]

    def spent() -> float:
        return sum(times.user + times.system for times in (each.cpu_times() for each in processes))

    def measured(work: Callable[[], object]) -> float:
        before = spent()
        work()
        return spent() - before

    return measured


def texts(world: World, tenant: str) -> set[str]:
    return {row["text"] for row in world.rows("MATCH (c:Chunk {tenant: $tenant}) RETURN c.text AS text", tenant)}


def with_windows(chunks: Sequence[str]) -> int:
    """Return how many texts an embedding model reads of some chunks."""
    return sum(1 + len(windows(text)) for text in chunks)


def test_an_edited_paragraph_of_a_long_document_is_read_alone(watched: World, cost: Cost) -> None:
    chance = random.Random(11)
    pages = [[paragraph(chance) for _ in range(PARAGRAPHS)] for _ in range(PAGES)]
    extractor: Any = watched.platform.extractor
    embedder: Any = watched.platform.embedder
    with watched.tenant() as tenant:
        whole = cost(lambda: watched.ingest(tenant, {"book.md": book(pages)}))
        before = texts(watched, tenant)
        assert len(extractor.read) == len(before) >= 2 * PAGES
        assert len(embedder.read) == with_windows(extractor.read)
        edits = []
        for page in (20, 100, 180):
            pages[page][2] = paragraph(chance)
            extractor.read.clear()
            embedder.read.clear()
            edits.append(cost(lambda: watched.ingest(tenant, {"book.md": book(pages)})))
            after = texts(watched, tenant)
            assert sorted(extractor.read) == sorted(after - before)
            assert len(extractor.read) <= PARAGRAPHS
            assert len(embedder.read) == with_windows(extractor.read)
            assert len(after) == len(before)
            before = after
    assert statistics.median(edits) < 0.05 * whole, (whole, edits)


HUB = "Zorgonia Hub"
KNOWN_IN = 100_000
AT_ONCE = 5_000
ROUNDS = 7
PROBE = "# Probe\n\nFritz Lang met [[Zorgonia Hub#person]] in Vienna. Zorgonia Hub founded a studio there."
_HUB = """
MERGE (r:Tenant {tenant: $tenant}) ON CREATE SET r.version = 1, r.chunks = $count
MERGE (e:Entity {id: $id})
SET e += $properties, e.tenant = $tenant, e.type = 'Person', e:Person
"""
_MENTIONS = """
MATCH (e:Entity {id: $id})
MERGE (d:Document {id: $document})
SET d.tenant = $tenant, d.title = $document, d.sourceUri = $document, d.status = 'ready', d.version = 1
CREATE (d)-[:HAS_SECTION]->(s:Section {id: 'section of ' + $document, tenant: $tenant, ordinal: 0})
WITH e, s
UNWIND range(1, $count) AS n
CREATE (s)-[:HAS_CHUNK]->(c:Chunk {
  id: $document + ' ' + n, tenant: $tenant, documentId: $document, ordinal: n, links: '',
  text: 'Zorgonia Hub saw mill ' + n + '.', terms: 'zorgonia hub saw mill ' + n, capitals: 'hub zorgonia'
})
CREATE (c)-[:MENTIONS {
  via: 'ner', count: 1, confidence: 1.0, offsets: [0, 12], contextWords: 'saw', evidence: ['ner\\tPerson\\tZorgonia Hub\\t1']
}]->(e)
"""


def write_hub(world: World, tenant: str, mentions: int) -> str:
    """Write a name with its mentions, as that many chunks would have given it; return its id."""
    identity = entity_id(tenant, normalize_name(HUB))
    properties = {
        "name": HUB,
        "aliases": [],
        "key": normalize_name(HUB),
        "keys": [normalize_name(HUB)],
        "confidence": 1.0,
        "evidence": encode({Evidence("ner", "Person", HUB): mentions}),
    }
    world.run(_HUB, tenant, id=identity, properties=properties, count=mentions)
    for at in range(0, mentions, AT_ONCE):
        count = min(AT_ONCE, mentions - at)
        world.run(_MENTIONS, tenant, id=identity, document=document_id(tenant, f"bulk {at}"), count=count)
    return identity


def hub(world: World, tenant: str, identity: str) -> Any:
    text = "MATCH (e:Entity {id: $id, tenant: $tenant}) RETURN properties(e) AS e, COUNT { (e)<-[:MENTIONS]-() } AS mentions"
    (row,) = world.rows(text, tenant, id=identity)
    return row


def test_a_document_that_mentions_a_hub_goes_as_fast_as_any(world: World, cost: Cost) -> None:
    """A name in 100,000 chunks, and one in ten; the same document comes and goes alternately."""
    with world.tenant() as large, world.tenant() as small:
        sizes = {large: KNOWN_IN, small: 10}
        hubs = {tenant: write_hub(world, tenant, mentions) for tenant, mentions in sizes.items()}
        before = {tenant: hub(world, tenant, identity) for tenant, identity in hubs.items()}
        comes: dict[str, list[float]] = {large: [], small: []}
        goes: dict[str, list[float]] = {large: [], small: []}
        for _ in range(ROUNDS):
            for tenant, identity in hubs.items():
                comes[tenant].append(cost(lambda tenant=tenant: world.ingest(tenant, {"probe.md": PROBE})))  # type: ignore[misc]
                assert hub(world, tenant, identity)["mentions"] > sizes[tenant]
                goes[tenant].append(cost(lambda tenant=tenant: world.delete(tenant, "probe.md")))  # type: ignore[misc]
                assert hub(world, tenant, identity) == before[tenant]
        # The least of them, which neither the first plans nor what the servers do by themselves are part of.
        slow, fast = (min(goes[tenant]) for tenant in (large, small))
        assert slow <= 2 * fast, (goes, comes)
