"""The part of ``interlace doctor`` that asks the language models, each by one tiny call."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from interlace.domain.errors import InterlaceError
from interlace.ports.language_model import LanguageModel, Message, OutputSchema
from interlace.settings import LlmPurpose, Settings
from interlace_stack.doctor import Finding

if TYPE_CHECKING:
    from interlace.composition.connections import Connections

_CHECK = "language model"
_TOKENS = 50
_READY = OutputSchema(
    "ready",
    {
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
)
_ASKED = (Message("user", 'Answer with the JSON object {"ready": true}.'),)


def examine_models(settings: Settings) -> list[Finding]:
    """Return what each language model of the settings answers; loads no library where they name none."""
    names = _names(settings)
    services = _services(settings)
    none = [] if names else [Finding(_CHECK, "ok", "none (INTERLACE_LLM__MODEL is empty): no token is spent")]
    if not names and not services:
        return none
    from interlace.composition.connections import Connections

    connections = Connections(settings)
    return [*none, *_findings(connections, names), *(_embed(connections, name) for name in services)]


def _services(settings: Settings) -> list[str]:
    """Return the names of the embedding models that are behind a service."""
    embedding = settings.embedding
    if not embedding.enabled:
        return []
    first = [embedding.model] if embedding.service else []
    return first + [name for name, model in embedding.models.items() if model.service and name != embedding.model]


def _names(settings: Settings) -> dict[str, list[str]]:
    """Return the purposes of each model that is on."""
    names: dict[str, list[str]] = {}
    for purpose in get_args(LlmPurpose):
        if name := settings.llm.model_for(purpose):
            names.setdefault(name, []).append(purpose)
    return names


def _findings(connections: "Connections", names: dict[str, list[str]]) -> Iterator[Finding]:
    for name, purposes in names.items():
        model = connections.language_model(name)
        yield _ask(model, f"{name} for {' and '.join(purposes)}")


def _ask(model: LanguageModel, what: str) -> Finding:
    try:
        answer = model.complete(_ASKED, _READY, max_tokens=_TOKENS)
    except InterlaceError as error:
        return Finding(_CHECK, "error", what, error.message)
    repaired = ", after one repair" if answer.usage.calls > 1 else ""
    return Finding(_CHECK, "ok", f"{what} answers in JSON ({answer.usage.tokens} tokens{repaired})")


def _embed(connections: "Connections", name: str) -> Finding:
    try:
        dimensions = connections.load_embedder(name).dimensions
    except InterlaceError as error:
        return Finding("embedding model", "error", name, error.message)
    return Finding("embedding model", "ok", f"{name} returns vectors of {dimensions} dimensions")
