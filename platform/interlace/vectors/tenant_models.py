"""Embedding models of a tenant: which are complete, and which one questions use."""

from collections.abc import Collection
from dataclasses import dataclass

from interlace.domain.errors import InvalidInputError
from interlace.domain.validation import hint
from interlace.ports.graph import GraphDatabase
from interlace.queries.gazetteer import gazetteer_version
from interlace.queries.vectors import use_model


@dataclass(frozen=True, slots=True)
class ModelState:
    """An embedding model of a tenant.

    Args:
        name: the model.
        complete: whether every chunk has its vector.
        configured: whether this process has the model.
        used: whether questions use it.
    """

    name: str
    complete: bool
    configured: bool
    used: bool


@dataclass(frozen=True, slots=True)
class TenantModels:
    """The models of this process, by name, the first model first, and what the graph knows about their vectors."""

    graph: GraphDatabase
    configured: Collection[str]

    def states(self, tenant: str) -> list[ModelState]:
        """Return the models of this process and those whose vectors every chunk has, by name."""
        row = gazetteer_version(self.graph, tenant=tenant)
        complete = row.models if row else []
        chosen = (row.model if row else None) or next(iter(self.configured), None)
        return [
            ModelState(name, name in complete, name in self.configured, used=name == chosen)
            for name in sorted({*complete, *self.configured})
        ]

    def use(self, tenant: str, model: str) -> None:
        """Make questions use a model unless they choose another.

        Raises:
            InvalidInputError: there is no such model, or some chunks lack its vectors.
        """
        check_configured(model, self.configured)
        if use_model(self.graph, tenant=tenant, model=model) is None:
            raise InvalidInputError(
                f"Not every chunk of tenant {tenant!r} has a vector of {model}: `interlace vectors rebuild --model {model}` creates them."
            )


def check_configured(model: str, configured: Collection[str]) -> None:
    """Raise ``InvalidInputError`` if a model is none of those of this process."""
    if model not in configured:
        names = ", ".join(configured) or "none, because embeddings are off (INTERLACE_EMBEDDING__ENABLED)"
        raise InvalidInputError(
            f"There is no embedding model {model!r} here{hint(model, configured)} There are: {names}. INTERLACE_EMBEDDING__MODELS adds models."
        )
