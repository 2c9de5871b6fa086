"""Questions, entities, facts and communities as pandas data frames, over the HTTP API."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import httpx

from interlace.client.arguments import path_part, several
from interlace.client.decisions import DecisionClient
from interlace.client.entities import NamedEntities
from interlace.client.frames import (
    ATOM_COLUMNS,
    COMMUNITY_COLUMNS,
    DOCUMENT_COLUMNS,
    FACT_COLUMNS,
    HIT_COLUMNS,
    MATCH_COLUMNS,
    NEIGHBOR_COLUMNS,
    SKILL_COLUMNS,
    TOOL_COLUMNS,
    data_frame,
    import_extra,
    match_row,
    neighbor_row,
)
from interlace.client.http import Http
from interlace.client.ingestion import IngestionClient
from interlace.client.links import LinkGraphClient
from interlace.client.local import local_api
from interlace.client.networks import neighbor_relations, path_relations, to_networkx
from interlace.client.pictures import answer_picture, community_picture, neighbor_picture, path_picture
from interlace.client.tenants import TenantClient
from interlace.domain.answers import DEFAULT_SENTENCES
from interlace.domain.errors import SettingsError
from interlace.domain.hits import LegName, Mode, Signal
from interlace.domain.relations import Direction
from interlace.domain.tools import RouteSignal

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience
    from neo4j_viz import VisualizationGraph
    from networkx import MultiDiGraph
    from pandas import DataFrame


class Interlace:
    """A running platform, seen from a notebook.

    Data frames need the extra ``notebooks``. Lists without a ``limit`` are whole; ``.attrs["truncated"]`` says whether one goes on. Methods
    raise ``InterlaceError`` with the API's sentence, ``UnavailableError`` without an answer.

    Args:
        url: address of the API; without it, address and tenant are those of the settings, as for the command line.
        api_key: the key, if the API wants one.
        tenant: whose documents; with a ``url``, the server's default if not given.
        timeout: seconds to wait for an answer.
        transport: for tests.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str = "",
        tenant: str | None = None,
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        if url is None:
            url, default_tenant = local_api()
            tenant = tenant or default_tenant
        self._http = Http(url, api_key=api_key, tenant=tenant, timeout=timeout, transport=transport)
        self._named = NamedEntities(self._http)
        self.links, self.decisions = LinkGraphClient(self._http), DecisionClient(self._http)
        self.ingestion, self.tenants = IngestionClient(self._http), TenantClient(self._http)

    def __enter__(self) -> Self:
        """Return the client, which is closed when the context ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections."""
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def ask(
        self,
        text: str,
        *,
        mode: Mode = "auto",
        limit: int = 10,
        filters: Mapping[str, Any] | None = None,
        legs: Sequence[LegName] | None = None,
        without: Sequence[Signal] = (),
        explain: bool = False,
        model: str | None = None,
        pack: int | Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the whole answer as the API gives it: hits, intent, weights, entities, mode and reason, timings.

        ``mode`` says which legs may answer: ``auto`` asks all legs at once, or the graph first where the policy or the server's settings say so.
        With ``pack``, a number of tokens or a mapping with a ``budget`` and what else the API allows there, also the best hits packed into
        that many tokens: ``answer["pack"]["text"]``, and in ``items`` why each hit was taken or left. ``options`` are further
        fields of the request, such as ``policy``, ``boosts`` and ``recency_days``.
        """
        body = {
            "query": text, "mode": mode, "limit": limit, "filters": filters, "explain": explain, "model": model,
            "legs": None if legs is None else several("legs", legs),
            "without": several("without", without),
            "pack": pack if pack is None or isinstance(pack, Mapping) else {"budget": pack},
            **(options or {}),
        }  # fmt: skip
        return dict(self._http.post("/v1/query", body))

    def query(
        self,
        text: str,
        *,
        mode: Mode = "auto",
        limit: int = 10,
        filters: Mapping[str, Any] | None = None,
        legs: Sequence[LegName] | None = None,
        without: Sequence[Signal] = (),
        model: str | None = None,
        pack: int | Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> "DataFrame":
        """Return the hits, best first, one a row, with the same choices as ``ask``; ``legs`` maps a leg to the rank it gave.

        What holds for the whole answer (``retrieval_mode``, ``retrieval_reason``, ``entities``, ``degraded``, ``timings``, ``pack``, and
        ``effort`` with Λ under ``lambda``) is in ``.attrs``.
        """
        answer = self.ask(
            text, mode=mode, limit=limit, filters=filters, legs=legs, without=without, model=model, pack=pack,
            options=options,
        )  # fmt: skip
        rows = [
            {
                **hit,
                "legs": {leg["leg"]: leg["rank"] for leg in hit["legs"]},
                "path": " → ".join(dict.fromkeys(step["entity_name"] for step in hit["path"])),
            }
            for hit in answer["hits"]
        ]
        frame = data_frame(rows, HIT_COLUMNS)
        frame.attrs.update({name: value for name, value in answer.items() if name != "hits"})
        return frame

    def answer(
        self,
        text: str,
        *,
        mode: Mode = "auto",
        sentences: int = DEFAULT_SENTENCES,
        limit: int = 10,
        filters: Mapping[str, Any] | None = None,
        insist: bool = False,
        extractive: bool = False,
        model: str | None = None,
    ) -> dict[str, Any]:
        """Return the answer to a question: ``sentences`` with the numbers of their ``citations``, or ``abstained`` and what is ``missing``.

        ``sufficiency`` says how likely the evidence holds the answer; ``hits`` are what the answer draws on; ``generation`` is what a
        language model did, where the server has one and ``extractive`` does not forbid it.
        """
        body = {
            "query": text, "mode": mode, "sentences": sentences, "limit": limit, "filters": filters,
            "insist": insist, "extractive": extractive, "model": model,
        }  # fmt: skip
        return dict(self._http.post("/v1/answer", body))

    def atoms(
        self, text: str, *, limit: int = 10, expand: bool = True, model: str | None = None, **options: Any
    ) -> "DataFrame":
        """Return the knowledge atoms that answer best, one a row; terms, sub-queries and domains are in ``.attrs``.

        Args:
            text: a name, keywords or a question.
            limit: atoms wanted.
            expand: whether other names of what it names count too.
            model: the embedding model to compare by.
            options: ``decompose``, ``decompose_threshold``, ``combine``, ``intersection_bonus``, ``rerank``, ``rerank_alpha``, ``weights``
                and ``min_score``, as in ``POST /v1/atoms/search``.
        """
        body = {"query": text, "limit": limit, "expand": expand, "model": model, **options}
        answer = self._http.post("/v1/atoms/search", body)
        frame = data_frame(answer["hits"], ATOM_COLUMNS)
        frame.attrs.update({name: value for name, value in answer.items() if name != "hits"})
        return frame

    def entities(
        self, name: str, *, types: Sequence[str] = (), limit: int = 10, min_confidence: float = 0.0
    ) -> "DataFrame":
        """Return the entities that a name may mean, best first; ``signals`` maps a signal to what it adds to the confidence.

        What holds for the whole search (``model``, ``degraded``, and ``effort`` with Λ) is in ``.attrs``.
        """
        answer = self._named.search(name, types, limit, min_confidence)
        frame = data_frame([match_row(match) for match in answer["matches"]], MATCH_COLUMNS)
        frame.attrs.update({name: value for name, value in answer.items() if name != "matches"})
        return frame

    def entity(self, name: str) -> dict[str, Any]:
        """Return one entity with the documents about it and its communities, by id or by name.

        Raises:
            NotFoundError: no entity is called so.
            InvalidInputError: several are; the message lists their ids.
        """
        return dict(self._http.get(f"/v1/entities/{self._named.id_of(name)}"))

    def neighbors(
        self,
        name: str,
        *,
        hops: int = 1,
        types: Sequence[str] = (),
        direction: Direction = "both",
        predicates: Sequence[str] = (),
        min_confidence: float = 0.0,
        limit: int = 25,
    ) -> "DataFrame":
        """Return the entities within one to three ``hops``, the nearest and strongest first, if of some ``types``; raises as ``entity``."""
        lists = {"type": several("types", types), "predicate": several("predicates", predicates)}
        where = {"direction": direction, "min_confidence": min_confidence, **lists}
        found = self._named.neighbors(self._named.id_of(name), hops=hops, limit=limit, **where)
        return data_frame([neighbor_row(each) for each in found], NEIGHBOR_COLUMNS)

    def facts(self, name: str, *, limit: int | None = None) -> "DataFrame":
        """Return the facts that name an entity, the surest first, with their sentences; raises as ``entity``."""
        return self._listed(f"/v1/entities/{self._named.id_of(name)}/facts", FACT_COLUMNS, limit)

    def route(self, text: str, *, limit: int = 5, without: Sequence[RouteSignal] = (), **options: Any) -> "DataFrame":
        """Return the tools that fit a request, best first, one a row; ``parts`` maps a signal to what it adds to the score.

        ``options`` are ``model`` and ``policy``. What holds for the whole answer (``intent``, ``keywords``, …) is in ``.attrs``.
        """
        body = {"query": text, "limit": limit, "without": several("without", without), **options}
        answer: dict[str, Any] = self._http.post("/v1/tools/route", body)
        frame = data_frame(answer["tools"], TOOL_COLUMNS)
        frame.attrs.update({name: value for name, value in answer.items() if name != "tools"})
        return frame

    def skills(self, *, limit: int | None = None) -> "DataFrame":
        """Return the registered skills with their keywords and tools."""
        return self._listed("/v1/skills", SKILL_COLUMNS, limit)

    def cypher(
        self, statement: str, params: Mapping[str, Any] | None = None, *, limit: int = 10_000, timeout: float = 10
    ) -> "DataFrame":
        """Return the rows of a reading statement; the key needs the scope ``cypher``.

        The server sets ``$tenant``, for which the statement must ask wherever it begins: ``MATCH (e:Entity {tenant: $tenant})``.
        Texts are parameters, never quoted. Values come as Arrow, so that columns have their types.
        """
        import_extra("pandas")
        pyarrow = import_extra("pyarrow")
        body = {"statement": statement, "params": dict(params or {}), "limit": limit, "seconds": timeout}
        answer = self._http.post_for("/v1/cypher", body, "application/vnd.apache.arrow.stream", timeout=timeout)
        frame: DataFrame = pyarrow.ipc.open_stream(answer.content).read_pandas()
        frame.attrs["truncated"] = answer.headers.get("X-Interlace-Truncated") == "true"
        return frame

    def communities(self, *, level: int | None = None, limit: int | None = None) -> "DataFrame":
        """Return communities, the largest first."""
        return self._listed("/v1/communities", COMMUNITY_COLUMNS, limit, level=level)

    def community(self, community_id: str, *, members: int = 100) -> dict[str, Any]:
        """Return one community with its ``members``, the most central first, its ``parents`` and its ``children``.

        Raises:
            NotFoundError: there is none with this id.
        """
        return dict(self._http.get(f"/v1/communities/{path_part('community', community_id)}", members=members))

    def documents(
        self,
        *,
        source: str | None = None,
        tag: str | None = None,
        status: str | None = None,
        where: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
    ) -> "DataFrame":
        """Return documents whose URI begins so, with this tag, in this status, that satisfy a filter, by ``source``, ``newest`` or ``oldest``."""
        chosen = {"source": source, "tag": tag, "status": status, "filter": where, "sort": sort}
        return self._listed("/v1/documents", DOCUMENT_COLUMNS, limit, **chosen)

    def paths(self, name: str, to: str, *, limit: int = 5) -> list[dict[str, Any]]:
        """Return the shortest paths between two entities, each relation with its sentence and sources; raises as ``entity``."""
        path = f"/v1/entities/{self._named.id_of(name)}/paths"
        return self._http.get(path, to=self._named.id_of(to), limit=limit)["paths"]  # type: ignore[no-any-return]

    def graph(self, name: str, *, to: str | None = None, hops: int = 1, limit: int = 25) -> "VisualizationGraph":
        """Return a picture of an entity and its neighbours, or of its paths ``to`` another; ``.render()`` draws it. Raises as ``entity``."""
        viz = import_extra("neo4j_viz")
        if to is not None:
            return path_picture(viz, self.paths(name, to, limit=limit))  # type: ignore[no-any-return]
        return neighbor_picture(viz, *self._named.around(name, hops, limit))  # type: ignore[no-any-return]

    def answer_graph(self, text: str, *, limit: int = 5) -> "VisualizationGraph":
        """Return a picture of how the first hits of a question were reached: entities, and the documents that name them."""
        return answer_picture(import_extra("neo4j_viz"), self.ask(text, limit=limit)["hits"])  # type: ignore[no-any-return]

    def community_graph(self, *, level: int = 0, limit: int = 8, members: int = 15) -> "VisualizationGraph":
        """Return a picture of the largest communities of a level, each with its most central members and what it is part of."""
        viz = import_extra("neo4j_viz")
        found = self._http.pages("/v1/communities", limit, level=level)
        return community_picture(viz, [self.community(each["id"], members=members) for each in found])  # type: ignore[no-any-return]

    def to_networkx(self, name: str, *, to: str | None = None, hops: int = 1, limit: int = 100) -> "MultiDiGraph[str]":
        """Return what ``graph`` draws for networkx: nodes are ids with ``name``, edges have ``predicate`` and ``sentence``. Raises as ``entity``."""
        networkx = import_extra("networkx")
        if to is not None:
            return to_networkx(networkx, path_relations(self.paths(name, to, limit=limit)))
        return to_networkx(networkx, neighbor_relations(*self._named.around(name, hops, limit)))

    def gds(self) -> "GraphDataScience":
        """Return a handle to Graph Data Science, straight to the database: address and password come from the settings.

        Raises:
            SettingsError: the environment and the local stack name no database.
        """
        from interlace.adapters.neo4j.science import graph_data_science
        from interlace.settings import load_settings
        from interlace_stack.connect import connect

        settings = connect(load_settings()).neo4j
        if not settings.password.get_secret_value():
            raise SettingsError(
                "Graph Data Science needs the database itself: set INTERLACE_NEO4J__URI and INTERLACE_NEO4J__PASSWORD, or start the "
                "local stack with `interlace up`."
            )
        return graph_data_science(settings)

    def _listed(self, path: str, columns: Sequence[str], limit: int | None, **params: Any) -> "DataFrame":
        """Return a list of the API; one row more than asked for shows that it goes on."""
        rows = list(self._http.pages(path, None if limit is None else limit + 1, **params))
        frame = data_frame(rows[:limit], columns)
        frame.attrs["truncated"] = len(rows) > len(frame)
        return frame
