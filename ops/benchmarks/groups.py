"""What groups of readers cost: the p95 with 1, 100 and 10,000 groups in a tenant, as a ratio to a tenant without any.

The same documents are made once; between measurements only their groups change, so that the readers always see half of them: one by a single group, one
by half of all groups, as far as a key can have them. The tenant without groups has that half alone, and its reader sees all. Each question is asked by all of them, in
turns as to who is first, so that what else runs on the machine slows them alike.

By itself it makes documents that all hold one name, and questions that name it: the worst case, since readers of groups look at mentions. With
``--collection`` documents and questions are those of a folder in the BEIR layout.

Each round begins with a change of a document, after which nothing that was cached holds, and asks everything twice: ``first`` and ``again``; ``both`` is the
percentile over all of these.

    python -m ops.benchmarks.groups --stack STACK.json [--collection FOLDER] [--documents 400] [--rounds 5]
"""

import argparse
import statistics
import sys
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import orjson
from tests.integration.ingestion_world import World, source

from interlace.access.keys import MAX_ENTRIES
from interlace.domain.hits import QueryRequest
from interlace.domain.ids import document_id, entity_id
from interlace.domain.reader import Groups, reading
from interlace.entities.normalization import normalize_name
from interlace.entities.repository import EntityRepository
from interlace.entities.traversal import EntityTraversal
from interlace.evaluation.collection import load_collection
from interlace.ingestion.labelling import LabelChange
from interlace.settings import Settings, StackSettings, load_settings
from interlace_stack.connect import connect

_WORDS = ("harbour", "crane", "winch", "tide", "ledger", "lantern", "rope", "signal", "mast", "anchor", "pier", "gull")
_NAMES = (
    *("Ada Lang", "Ben Stone", "Cora Field", "Dan Brook", "Eve Marsh", "Finn Dale"),
    *("Gwen Hill", "Hugo Reed", "Iris Wood", "Jack Lake", "Kate Ford", "Liam Park"),
)
_HUB = "Mira Quill"
_BATCH = 100
_ALL = "who sees all"
_TIMES = ("first", "again")
_WARM = 4
"""Questions that are asked before those that are measured."""

Reader = tuple[str, Groups | None]
"""A tenant, and the groups of who asks it."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Documents by address, and questions; ``hub`` is a name whose entity is asked for as well, if any."""

    documents: Sequence[tuple[str, str]]
    questions: Sequence[str]
    hub: str = ""

    def asked(self, world: World, tenant: str, question: str) -> dict[str, Callable[[], object]]:
        """Return what is measured, by its name."""
        platform = world.platform
        search, graph, cache = platform.questions.search, platform.graph, platform.visible_cache
        hub = entity_id(tenant, normalize_name(self.hub))
        found: dict[str, Callable[[], object]] = {
            "question": lambda: search(tenant, QueryRequest(question)),
            "graph alone": lambda: search(tenant, QueryRequest(question, "graph_only")),
        }
        if self.hub:
            found["hub"] = lambda: EntityRepository(graph, cache=cache).get(tenant, hub)
            found["neighbours of a hub"] = lambda: EntityTraversal(graph, cache).neighbors(tenant, hub)
        return found


def _about_one_name(count: int) -> Workload:
    documents = []
    for number in range(count):
        words = [_WORDS[(number * step + step) % len(_WORDS)] for step in range(1, 25)]
        text = (
            f"# Note {number}\n\n{_HUB} wrote of the {' '.join(words[:12])}. She met {_NAMES[number % 12]} in Oslo.\n\n"
            f"## More\n\n{_HUB} founded Quill Works with {_NAMES[number * 5 % 12]}. A {' '.join(words[12:])}.\n"
        )
        documents.append((f"notes/{number:05}.md", text))
    questions = [
        f"Which {_WORDS[at]} has {_HUB} with {name} and the {_WORDS[at * 7 % 12]}?" for at, name in enumerate(_NAMES)
    ]
    return Workload(documents, questions, _HUB)


def _of_collection(folder: Path, count: int) -> Workload:
    collection = load_collection(folder)
    with collection.corpus.open("rb") as lines:
        records = [orjson.loads(line) for line in islice(lines, count)]
    documents = [(f"{each['_id']}.md", f"# {each.get('title', '')}\n\n{each['text']}\n") for each in records]
    return Workload(documents, list(collection.queries.values()))


def _label(world: World, tenant: str, uris: Sequence[str], groups: int) -> dict[str, Groups]:
    """Spread groups over the documents, one half of them over the first half, and return the groups of the readers, who see that half.

    A key has at most ``MAX_ENTRIES`` groups.
    """
    half, spread = len(uris) // 2, groups // 2
    each = -(-spread // half)
    by_access: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for at, uri in enumerate(uris):
        name, first = ("open", "mine") if at < half else ("shut", "other")
        more = [f"{name}{(at * each + number) % spread}" for number in range(each)]
        by_access[first, *more].append(document_id(tenant, uri))
    for access, ids in by_access.items():
        world.platform.labels.change(tenant, ids, LabelChange(access=access))
    most = max(MAX_ENTRIES // half, 1)
    many = [f"open{number}" for number in range(spread) if number % each < most]
    return {"of one group": ["mine"], **({f"of {len(many)} groups": many} if many else {})}


def _timed(world: World, workload: Workload, question: str, reader: Reader) -> Iterator[tuple[str, float]]:
    """Yield what was asked and the milliseconds that it took."""
    tenant, groups = reader
    for what, call in workload.asked(world, tenant, question).items():
        with reading(lambda: groups):
            started = time.perf_counter()
            call()
            yield what, (time.perf_counter() - started) * 1000


def _p95(
    world: World, workload: Workload, readers: Mapping[str, Reader], rounds: int
) -> dict[tuple[str, str], dict[str, float]]:
    """Return milliseconds at the 95th percentile by what was asked and when, and by who asked."""
    spent: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    names = list(readers)
    for _ in range(rounds):
        for tenant in {tenant for tenant, _ in readers.values()}:
            world.platform.labels.change(tenant, [document_id(tenant, workload.documents[0][0])], LabelChange())
        for when in _TIMES:
            for number, question in enumerate(workload.questions):
                first = number % len(names)
                for who in names[first:] + names[:first]:
                    for what, taken in _timed(world, workload, question, readers[who]):
                        for asked in (when, "both"):
                            spent[what, asked][who].append(taken)
    return {
        asked: {who: statistics.quantiles(each, n=20)[-1] for who, each in by.items()} for asked, by in spent.items()
    }


def _ingest(world: World, tenant: str, documents: Sequence[tuple[str, str]]) -> None:
    for at in range(0, len(documents), _BATCH):
        world.receive(tenant, [source(uri, text) for uri, text in documents[at : at + _BATCH]])
        world.work()


def measure(settings: Settings, workload: Workload, rounds: int) -> Iterator[str]:
    """Yield a line for each number of groups, each thing that is asked, first or again, with all readers.

    Args:
        settings: of the stack.
        workload: what is asked of what.
        rounds: of all questions.
    """
    with closing(World(settings)) as world:
        apart, free = (f"groups-{uuid.uuid4().hex[:8]}" for _ in range(2))
        half = len(workload.documents) // 2
        try:
            _ingest(world, apart, workload.documents)
            _ingest(world, free, workload.documents[:half])
            uris = [uri for uri, _ in workload.documents]
            yield f"{half} of {len(uris)} documents seen, {len(workload.questions)} questions, {rounds} rounds"
            for groups in (1, 100, 10_000):
                bounded = {who: (apart, each) for who, each in _label(world, apart, uris, groups).items()}
                readers: dict[str, Reader] = {_ALL: (free, None), **bounded}
                _p95(world, replace(workload, questions=workload.questions[:_WARM]), readers, 1)
                for (what, when), by in _p95(world, workload, readers, rounds).items():
                    ratios = ", ".join(f"{who} {by[who]:.1f} ms, ratio {by[who] / by[_ALL]:.2f}" for who in bounded)
                    yield f"{groups:>6} groups, {what}, {when}: p95 without {by[_ALL]:.1f} ms, reader {ratios}"
        finally:
            for tenant in (apart, free):
                world.clear(tenant)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stack", type=Path, required=True)
    parser.add_argument("--collection", type=Path)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    root = chosen.stack.absolute().parent
    settings = connect(load_settings(stack=StackSettings(home=root.parent, name=root.name)))
    folder = chosen.collection
    workload = _of_collection(folder, chosen.documents) if folder else _about_one_name(chosen.documents)
    for line in measure(settings, workload, chosen.rounds):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
