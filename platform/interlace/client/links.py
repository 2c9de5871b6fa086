"""The link graph over the HTTP API: answers are checked against the schema that this version knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interlace.client.arguments import path_part
from interlace.client.http import Http
from interlace.domain.relations import Direction
from interlace.links.schemas import MetadataAnswer, NeighborsAnswer, RelatedAnswer, SearchAnswer


@dataclass(frozen=True, slots=True)
class LinkGraphClient:
    """The four calls of the link graph.

    Each raises ``InterlaceError`` with the API's own sentence, and ``pydantic.ValidationError`` when a server of another schema version
    answers. A stem is a document's file name, title, alias, path, URI or id.
    """

    http: Http

    def search_planned(self, query: str, limit: int = 10, options: Mapping[str, Any] | None = None) -> SearchAnswer:
        """Return the documents that answer; ``options`` are ``mode``, ``match``, ``policy``, ``filters`` and ``model``."""
        body = {"query": query, "limit": limit, "options": dict(options or {})}
        return SearchAnswer.model_validate(self.http.post("/v1/linkgraph/search", body))

    def neighbors(self, stem: str, direction: Direction = "both", hops: int = 1) -> NeighborsAnswer:
        """Return the documents that links lead to from the one that a stem names."""
        return NeighborsAnswer.model_validate(self.http.get(_path(stem, "neighbors"), direction=direction, hops=hops))

    def related(self, stem: str, max_distance: int = 2, limit: int = 10) -> RelatedAnswer:
        """Return the documents nearest to the one that a stem names."""
        return RelatedAnswer.model_validate(
            self.http.get(_path(stem, "related"), max_distance=max_distance, limit=limit)
        )

    def metadata(self, stem: str) -> MetadataAnswer:
        """Return what is known about the document that a stem names."""
        return MetadataAnswer.model_validate(self.http.get(_path(stem, "metadata")))


def _path(stem: str, call: str) -> str:
    return f"/v1/linkgraph/{path_part('document', stem)}/{call}"
