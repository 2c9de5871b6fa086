"""Choice of the embedding model of a question: the caller's, else the one the tenant's graph names, else any that is complete."""

from collections.abc import Mapping

from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import QueryRequest
from interlace.entities.linker import EntityLinker
from interlace.ports.models import Embedder
from interlace.vectors.tenant_models import check_configured


def choose_embedder(request: QueryRequest, linker: EntityLinker, embedders: Mapping[str, Embedder]) -> Embedder | None:
    """Return the model to embed a question with; none where no model of this process has vectors of every chunk.

    Args:
        request: the question; it may name a model.
        linker: knows which models have vectors of every chunk, and which one questions use.
        embedders: the models of this process; the first, from the settings, is taken where the graph names none.

    Raises:
        InvalidInputError: the caller's model is unknown or lacks vectors of some chunks, or the mode needs embeddings and there are none.
    """
    usable = [name for name in (linker.model, *embedders) if name in embedders and name in linker.models]
    if request.model is not None:
        return embedders[_checked(request.model, linker, embedders)]
    if not usable and request.mode == "vector_only" and linker.chunks:
        raise InvalidInputError(f"The mode vector_only needs embeddings: {_reason_for_none(embedders)}")
    return embedders[usable[0]] if usable and usable[0] is not None else None


def _checked(model: str, linker: EntityLinker, embedders: Mapping[str, Embedder]) -> str:
    check_configured(model, embedders)
    if model not in linker.models and linker.chunks:
        listed = ", ".join(sorted(name for name in embedders if name in linker.models)) or "none"
        raise InvalidInputError(
            f"The model {model!r} lacks vectors of some chunks; `interlace vectors rebuild --model {model}` creates them. Questions "
            f"may choose: {listed}."
        )
    return model


def _reason_for_none(embedders: Mapping[str, Embedder]) -> str:
    if not embedders:
        return "embeddings are off (INTERLACE_EMBEDDING__ENABLED)."
    return "no model has vectors of every chunk yet; workers are making them, or `interlace vectors rebuild` does."
