"""Entities that a notebook names as people do: the id behind a name, and what is around it."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interlace.client.arguments import several
from interlace.client.http import Http
from interlace.domain.errors import NotFoundError, several_entities


@dataclass(frozen=True, slots=True)
class NamedEntities:
    """Finds entities over the HTTP API."""

    http: Http

    def search(
        self, name: str, types: Sequence[str] = (), limit: int = 5, min_confidence: float = 0.0
    ) -> dict[str, Any]:
        """Return the entities that a name may mean, as the API gives them."""
        body = {"query": name, "types": several("types", types), "limit": limit, "min_confidence": min_confidence}
        answer: dict[str, Any] = self.http.post("/v1/search/entities", body)
        return answer

    def around(self, name: str, hops: int, limit: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return an entity and its neighbours; raises as ``id_of``."""
        centre = self.http.get(f"/v1/entities/{self.id_of(name)}")["entity"]
        return centre, self.neighbors(centre["id"], hops=hops, limit=limit)

    def neighbors(self, entity_id: str, **options: Any) -> list[dict[str, Any]]:
        """Return the neighbours of an entity."""
        return self.http.get(f"/v1/entities/{entity_id}/neighbors", **options)["neighbors"]  # type: ignore[no-any-return]

    def id_of(self, name: str) -> str:
        """Return the id of the entity that has a name, or is named by its id.

        Raises:
            NotFoundError: no entity is called so.
            InvalidInputError: several are; the message lists their ids.
        """
        try:
            return str(uuid.UUID(str(name)))
        except ValueError:
            pass
        matches = self.search(name)["matches"]
        found = [match["entity"] for match in matches if match["via"] in {"exact", "alias"}]
        if not found:
            raise NotFoundError(f"No entity is called {name}; entities({name!r}) finds similar names.")
        if len(found) > 1:
            raise several_entities(name, [(entity["id"], entity["name"], entity["type"]) for entity in found])
        return str(found[0]["id"])
