"""Decisions about entities, over the HTTP API."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interlace.client.arguments import path_part, several
from interlace.client.http import Http


@dataclass(frozen=True, slots=True)
class DecisionClient:
    """Decides about entities: ``interlace.decisions.merge("NYC", "New York")``."""

    http: Http

    def merge(self, *names: str, note: str = "") -> str:
        """Decide that names, or ids, are one entity; return the decision's id."""
        return self._decide(kind="same", names=names, note=note)

    def different(self, *names: str, note: str = "") -> str:
        """Decide that no two of the names are ever one entity; return the decision's id."""
        return self._decide(kind="different", names=names, note=note)

    def split(self, name: str, meaning: str, documents: Sequence[str], *, note: str = "") -> str:
        """Decide that a name means another entity in documents (ids or source URIs); return the decision's id."""
        listed = several("documents", documents)
        return self._decide(kind="split", names=[name], meaning=meaning, documents=listed, note=note)

    def undo(self, decision_id: str, *, note: str = "") -> None:
        """Undo a decision."""
        self.http.delete(f"/v1/decisions/{path_part('decision', decision_id)}", note=note)

    def history(self, name: str = "", *, limit: int = 100) -> list[dict[str, Any]]:
        """Return decisions, newest first, including undone ones."""
        found: list[dict[str, Any]] = self.http.get("/v1/decisions", name=name, limit=limit)["decisions"]
        return found

    def candidates(self, *, entity: str | None = None, after: str | None = None, limit: int = 20) -> dict[str, Any]:
        """Return pairs that may be one entity (``candidates``), all or those of one entity, and where the next page begins (``after``)."""
        found: dict[str, Any] = self.http.get("/v1/decisions/candidates", entity=entity, after=after, limit=limit)
        return found

    def _decide(self, **body: Any) -> str:
        made: dict[str, Any] = self.http.post("/v1/decisions", body)
        if made["overruled"]:
            warnings.warn(
                "The decision has no effect as long as one stands that it contradicts; history() shows both.",
                stacklevel=3,
            )
        if passed_over := made["passed_over"]:
            warnings.warn(
                f"In {len(passed_over)} of the documents another split decides; history() shows both.", stacklevel=3
            )
        decision_id: str = made["id"]
        return decision_id
