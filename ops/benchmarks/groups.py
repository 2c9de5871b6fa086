"""What groups of readers cost: the p95 of questions with 1, 100 and 10,000 groups in a tenant, as a ratio to the same reader without any.

The same documents are made once; between measurements only their groups change, so that the reader always sees half of them.
Each question is asked with groups and without, one after the other, so that what else runs on the machine slows both.

    python -m ops.benchmarks.groups --stack STACK.json [--documents 400] [--questions 60]
"""

import argparse
import statistics
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from tests.integration.ingestion_world import World, source

from interlace.domain.hits import QueryRequest
from interlace.domain.ids import document_id
from interlace.domain.reader import reading
from interlace.ingestion.labelling import LabelChange
from interlace.settings import StackSettings, load_settings
from interlace_stack.connect import connect

_WORDS = ("harbour", "crane", "winch", "tide", "ledger", "lantern", "rope", "signal", "mast", "anchor", "pier", "gull")
_BATCH = 100


def _documents(count: int) -> Iterator[tuple[str, str]]:
    for number in range(count):
        words = [_WORDS[(number * step + step) % len(_WORDS)] for step in range(1, 25)]
        yield (
            f"notes/{number:05}.md",
            f"# Note {number}\n\nThe {' '.join(words[:12])}.\n\n## More\n\nA {' '.join(words[12:])}.\n",
        )


def _label(world: World, tenant: str, uris: Sequence[str], groups: int) -> None:
    """Spread groups over the documents; the first half also gets the reader's own."""
    each = -(-groups // len(uris))
    for at, uri in enumerate(uris):
        spread = [f"g{(at * each + number) % groups}" for number in range(each)]
        own = ["mine"] if at < len(uris) // 2 else []
        world.platform.labels.change(tenant, [document_id(tenant, uri)], LabelChange(access=[*own, *spread]))


def _p95(world: World, tenants: Sequence[str], questions: int) -> list[float]:
    """Return milliseconds at the 95th percentile for each tenant, asked one after the other question by question."""
    times: list[list[float]] = [[] for _ in tenants]
    for number in range(questions):
        text = f"Which {_WORDS[number % 12]} has a {_WORDS[number * 5 % 12]} and {_WORDS[number * 7 % 12]}?"
        for tenant, spent in zip(tenants, times, strict=True):
            started = time.perf_counter()
            world.platform.questions.search(tenant, QueryRequest(text))
            spent.append((time.perf_counter() - started) * 1000)
    return [statistics.quantiles(spent, n=20)[-1] for spent in times]


def main() -> None:
    """Measure and print a line for each number of groups."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stack", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--questions", type=int, default=60)
    chosen = parser.parse_args()
    root = chosen.stack.absolute().parent
    settings = connect(load_settings(stack=StackSettings(home=root.parent, name=root.name)))
    with closing(World(settings)) as world:
        names = [f"groups-{uuid.uuid4().hex[:8]}" for _ in range(2)]
        for tenant, count in zip(names, (chosen.documents, chosen.documents // 2), strict=True):
            found = list(_documents(count))
            for at in range(0, count, _BATCH):
                world.receive(tenant, [source(uri, text) for uri, text in found[at : at + _BATCH]])
                world.work()
        uris = [uri for uri, _ in _documents(chosen.documents)]
        for groups in (1, 100, 10_000):
            _label(world, names[0], uris, groups)
            with reading(lambda: ["mine"]):
                _p95(world, names, 5)
                bounded, free = _p95(world, names, chosen.questions)
            sys.stdout.write(
                f"{groups:>6} groups: p95 {bounded:.1f} ms, without {free:.1f} ms, ratio {bounded / free:.2f}\n"
            )
        for tenant in names:
            world.clear(tenant)


if __name__ == "__main__":
    main()
