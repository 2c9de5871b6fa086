"""What groups of readers cost: the p95 with 1, 100 and 10,000 groups in a tenant, as a ratio to a tenant without any.

The same documents are made once; between measurements only their groups change, so that the readers always see half of them: one by a single group, one
by half of all groups, as far as a key can have them. The tenant without groups has that half alone, and its reader sees all. Everything is asked by all of them, one after the other, so that
what else runs on the machine slows them alike. One name is in every document, and questions name it: the graph leg expands from a hub.

    python -m ops.benchmarks.groups --stack STACK.json [--documents 400] [--questions 60]
"""

import argparse
import statistics
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from tests.integration.ingestion_world import World, source

from interlace.access.keys import MOST_ENTRIES
from interlace.domain.hits import QueryRequest
from interlace.domain.ids import document_id, entity_id
from interlace.domain.reader import Groups, reading
from interlace.entities.normalization import normalize_name
from interlace.entities.repository import EntityRepository
from interlace.entities.traversal import EntityTraversal
from interlace.ingestion.labelling import LabelChange
from interlace.settings import Settings, StackSettings, load_settings
from interlace_stack.connect import connect

_WORDS = ("harbour", "crane", "winch", "tide", "ledger", "lantern", "rope", "signal", "mast", "anchor", "pier", "gull")
_NAMES = (
    *("Ada Lang", "Ben Stone", "Cora Field", "Dan Brook", "Eve Marsh", "Finn Dale"),
    *("Gwen Hill", "Hugo Reed", "Iris Wood", "Jack Lake", "Kate Ford", "Liam Park"),
)
_BATCH = 100
_ALL = "who sees all"


def _documents(count: int) -> Iterator[tuple[str, str]]:
    for number in range(count):
        words = [_WORDS[(number * step + step) % len(_WORDS)] for step in range(1, 25)]
        yield (
            f"notes/{number:05}.md",
            (
                f"# Note {number}\n\nMira Quill wrote of the {' '.join(words[:12])}. She met {_NAMES[number % 12]} in Oslo.\n\n"
                f"## More\n\nMira Quill founded Quill Works with {_NAMES[number * 5 % 12]}. A {' '.join(words[12:])}.\n"
            ),
        )


def _label(world: World, tenant: str, uris: Sequence[str], groups: int) -> dict[str, Groups]:
    """Spread groups over the documents, one half of them over the first half, and return the groups of the readers, who see that half.

    A key has at most ``MOST_ENTRIES`` groups.
    """
    half, spread = len(uris) // 2, groups // 2
    each = -(-spread // half)
    for at, uri in enumerate(uris):
        name, first = ("open", "mine") if at < half else ("shut", "other")
        more = [f"{name}{(at * each + number) % spread}" for number in range(each)]
        world.platform.labels.change(tenant, [document_id(tenant, uri)], LabelChange(access=[first, *more]))
    most = max(MOST_ENTRIES // half, 1)
    many = [f"open{number}" for number in range(spread) if number % each < most]
    return {"of one group": ["mine"], **({f"of {len(many)} groups": many} if many else {})}


def _asked(world: World, tenant: str, number: int) -> dict[str, Callable[[], object]]:
    """Return what is measured, by its name."""
    name = _NAMES[number % 12]
    text = f"Which {_WORDS[number % 12]} has Mira Quill with {name} and the {_WORDS[number * 7 % 12]}?"
    hub = entity_id(tenant, normalize_name("Mira Quill"))
    entities, traversal = EntityRepository(world.platform.graph), EntityTraversal(world.platform.graph)
    return {
        "question": lambda: world.platform.questions.search(tenant, QueryRequest(text)),
        "graph alone": lambda: world.platform.questions.search(tenant, QueryRequest(text, "graph_only")),
        "hub": lambda: entities.get(tenant, hub),
        "neighbours of a hub": lambda: traversal.neighbors(tenant, hub),
    }


def _p95(world: World, readers: Mapping[str, tuple[str, Groups | None]], times: int) -> dict[str, dict[str, float]]:
    """Return milliseconds at the 95th percentile by what was asked and by whom, a tenant and groups."""
    spent: dict[str, dict[str, list[float]]] = {}
    for number in range(times):
        for who, (tenant, groups) in readers.items():
            for what, call in _asked(world, tenant, number).items():
                with reading(lambda groups=groups: groups):  # type: ignore[misc]
                    started = time.perf_counter()
                    call()
                taken = (time.perf_counter() - started) * 1000
                spent.setdefault(what, {}).setdefault(who, []).append(taken)
    return {what: {who: statistics.quantiles(each, n=20)[-1] for who, each in by.items()} for what, by in spent.items()}


def measure(settings: Settings, documents: int, times: int) -> Iterator[str]:
    """Yield a line for each number of groups, each thing that is asked and each reader.

    Args:
        settings: of the stack.
        documents: in the tenant with groups.
        times: that each thing is asked.
    """
    with closing(World(settings)) as world:
        apart, free = (f"groups-{uuid.uuid4().hex[:8]}" for _ in range(2))
        for tenant, count in ((apart, documents), (free, documents // 2)):
            found = list(_documents(count))
            for at in range(0, count, _BATCH):
                world.receive(tenant, [source(uri, text) for uri, text in found[at : at + _BATCH]])
                world.work()
        uris = [uri for uri, _ in _documents(documents)]
        for groups in (1, 100, 10_000):
            bounded = {who: (apart, each) for who, each in _label(world, apart, uris, groups).items()}
            readers = {_ALL: (free, None), **bounded}
            _p95(world, readers, 5)
            for what, by in _p95(world, readers, times).items():
                ratios = ", ".join(f"{who} {by[who]:.1f} ms, ratio {by[who] / by[_ALL]:.2f}" for who in bounded)
                yield f"{groups:>6} groups, {what}: p95 without {by[_ALL]:.1f} ms, reader {ratios}"
        for tenant in (apart, free):
            world.clear(tenant)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stack", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--questions", type=int, default=60)
    chosen = parser.parse_args()
    root = chosen.stack.absolute().parent
    settings = connect(load_settings(stack=StackSettings(home=root.parent, name=root.name)))
    for line in measure(settings, chosen.documents, chosen.questions):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
