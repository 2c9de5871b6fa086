"""Neo4j Graph Data Science behind the port ``GraphAnalytics``: the one place that imports its client.

All runs are single-threaded with a fixed seed over nodes in id order, and weights are integers, so that the order of
summation has no effect: equal graphs give equal results, whatever the order in which they were written.
"""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from graphdatascience import GraphDataScience
from graphdatascience.error.unable_to_connect import UnableToConnectError

from interlace.adapters.neo4j.connection import errors_as_ours, open_driver
from interlace.cypher_files import query
from interlace.domain.errors import UnavailableError
from interlace.ports.analytics import Partition
from interlace.settings import Neo4jSettings

_PROJECT = query("communities/project_entities")

FACT_WEIGHT: Final = 2520
"""Weight of one fact. A shared chunk of n entities connects two of them with 1/(n - 1) of it: divisible by most small numbers."""
NAMES_PER_CHUNK: Final = 20
"""Most entities of a chunk that are connected pairwise, rarest first: the pairs of a list of hundreds say nothing."""
HUB_MENTIONS: Final = 500
"""Mentions above which shared chunks no longer connect an entity; its facts still do."""

_SAME: Final[dict[str, Any]] = {"concurrency": 1, "log_progress": False, "relationship_weight_property": "weight"}
_PAGERANK_DIGITS: Final = 6


class Neo4jAnalytics:
    """Graph algorithms in the database process.

    Args:
        settings: address and credentials; no connection is made before the first projection.
    """

    def __init__(self, settings: Neo4jSettings) -> None:
        self._settings = settings
        self._driver = open_driver(settings)

    @contextmanager
    def project(
        self, tenant: str, names: Sequence[str], starts: Sequence[Sequence[int]]
    ) -> Iterator["Neo4jProjection"]:
        """Project a tenant's entities; see ``GraphAnalytics.project``. The projection is dropped however the context ends."""
        family = f"communities-{tenant}."
        graph = family + uuid.uuid4().hex
        with self._calling("communities/drop_projections"):
            for left in self._client.graph.list():
                if left.graph_name.startswith(family):
                    self._client.graph.drop(left.graph_name, fail_if_missing=False)
        try:
            with self._calling(_PROJECT.name):
                relationships = self._project(tenant, graph, names, starts)
            yield Neo4jProjection(self, graph, relationships)
        finally:
            with self._calling("communities/drop_projections"):
                self._client.graph.drop(graph, fail_if_missing=False)

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()

    @cached_property
    def _client(self) -> GraphDataScience:
        return GraphDataScience(self._driver, database=self._settings.database, arrow=False, show_progress=False)

    def _project(self, tenant: str, graph: str, names: Sequence[str], starts: Sequence[Sequence[int]]) -> int:
        if not names:
            return 0
        params = {
            "tenant": tenant,
            "graph": graph,
            "places": {name: place for place, name in enumerate(names)},
            "starts": [
                {_start(level): start[place] for level, start in enumerate(starts)} for place in range(len(names))
            ],
            "unit": FACT_WEIGHT,
            "namesPerChunk": NAMES_PER_CHUNK,
            "hubCap": HUB_MENTIONS,
        }
        return int(self._client.run_cypher(_PROJECT.text, params, mode="READ")["relationships"].iloc[0])

    @contextmanager
    def _calling(self, name: str) -> Iterator[None]:
        """Turn errors into ours, and check first that the server is there: the client would retry for ten minutes."""
        with errors_as_ours(self._settings, name):
            self._driver.verify_connectivity()
            try:
                yield
            except UnableToConnectError as error:
                raise UnavailableError(
                    f"Graph Data Science at {self._settings.uri} did not answer {name}; `interlace doctor` checks."
                ) from error


@dataclass(frozen=True, slots=True)
class Neo4jProjection:
    """A projected graph, named as in Graph Data Science; its node ids are indexes in the list of entities.

    Args:
        analytics: the connection.
        graph: its name.
        relationships: their number, each counted in both directions.
    """

    analytics: Neo4jAnalytics
    graph: str
    relationships: int

    def ranks(self) -> list[float]:
        """Return each entity's weighted PageRank, to six decimals."""
        with self._calling("gds.pageRank.stream") as gds:
            rows = gds.page_rank.stream(gds.graph.get(self.graph), max_iterations=50, **_SAME)
        scores: list[float] = rows.sort_values("nodeId")["score"].round(_PAGERANK_DIGITS).tolist()
        return scores

    def leiden(self, *, gamma: float, max_levels: int, seed: int) -> Partition:
        """Return Leiden's hierarchy from scratch."""
        return self._run("found", gamma=gamma, max_levels=max_levels, random_seed=seed)

    def improve(self, level: int, *, gamma: float, seed: int) -> Partition:
        """Return a starting partition as improved by one round of local moves.

        One round, because seeded rounds beyond the first go wrong in Graph Data Science 2.13: their levels are no longer a hierarchy,
        and some starts end in an ArrayIndexOutOfBoundsException.
        """
        arguments = {"gamma": gamma, "max_levels": 1, "random_seed": seed, "seed_property": _start(level)}
        # Bypasses the memory guard: it estimates 16 bytes for each pair of nodes as soon as there is a seed (6 GB for 20,000 nodes),
        # although the run takes hardly more than the unseeded one, which is guarded and comes first.
        return self._run(f"improved{level}", sudo=True, **arguments)

    def _run(self, result: str, **arguments: Any) -> Partition:
        # Without the intermediate levels, a seeded run that finds nothing to improve ends in a NullPointerException.
        arguments |= {"include_intermediate_communities": True}
        with self._calling("gds.leiden.mutate") as gds:
            graph = gds.graph.get(self.graph)
            summary = gds.leiden.mutate(graph, result, **_SAME, **arguments)
            rows = gds.graph.node_properties.stream(graph, [result])
        levels = zip(*rows.sort_values("nodeId")[result].tolist(), strict=True)
        return Partition(tuple(levels), float(summary.modularity))

    @contextmanager
    def _calling(self, name: str) -> Iterator[GraphDataScience]:
        with self.analytics._calling(name):  # noqa: SLF001 (two halves of one adapter)
            yield self.analytics._client  # noqa: SLF001


def _start(level: int) -> str:
    return f"start{level}"
