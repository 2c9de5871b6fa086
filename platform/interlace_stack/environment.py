"""The environment of a child process: a few system variables, and for Interlace's own programs the settings."""

import json
import os
from collections.abc import Iterator
from typing import Any

from pydantic import SecretStr

from interlace.settings import PREFIX, Group, Settings

# What programs and their libraries expect; everything else, such as tokens in a shell, is left out.
_SYSTEM = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_DATA_HOME",
    "JDK_JAVA_OPTIONS",  # of the Java launcher: further options for Neo4j
)
# The workers may call a remote model, so they need this machine's proxy and certificates.
_NETWORK = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
)
# LiteLLM looks for a provider's credentials in variables that begin with the provider's name, except for these.
_PROVIDERS = {
    "bedrock": ("AWS_",),
    "gemini": ("GEMINI_", "GOOGLE_API_KEY"),
    "huggingface": ("HF_", "HUGGINGFACE_"),
    "sagemaker": ("AWS_",),
    "vertex_ai": ("GOOGLE_", "VERTEXAI_", "VERTEX_"),
}
# The stack's location must be the same for its children, whatever home directory or defaults they would see.
_ALWAYS = {"stack": {"home", "name", "ports"}, "api": {"port"}}


def system_environment() -> dict[str, str]:
    """Return the variables of this process that a server needs: no settings, no secrets."""
    return {name: os.environ[name] for name in _SYSTEM if name in os.environ}


def tracing_environment() -> dict[str, str]:
    """Return OpenTelemetry's own variables, which say whether, and where to, traces are sent."""
    return {name: value for name, value in os.environ.items() if name.startswith("OTEL_")}


def app_environment(settings: Settings) -> dict[str, str]:
    """Return the variables that the API, worker and beat need: the system's, those of traces and of the chosen providers, and every explicit setting.

    Settings come from ``settings``, not from this process, so that a stack started by a program behaves like one started from a shell.
    """
    providers = tuple(_provider_prefixes(settings))
    passed = {name: value for name, value in os.environ.items() if name in _NETWORK or name.startswith(providers)}
    return system_environment() | tracing_environment() | passed | settings_environment(settings)


def _provider_prefixes(settings: Settings) -> Iterator[str]:
    llm, embedding = settings.llm, settings.embedding
    further = [each.service for each in embedding.models.values()]
    chosen = (
        llm.model,
        llm.answers,
        llm.extraction,
        llm.summaries,
        settings.reranker.service,
        embedding.service,
        *further,
    )
    for provider, slash, _ in (model.partition("/") for model in chosen):
        if slash:
            yield from _PROVIDERS.get(provider, (f"{provider.upper()}_",))


def settings_environment(settings: Settings) -> dict[str, str]:
    """Return the variables from which ``load_settings`` restores these settings: what was set, and where the stack is."""
    variables = {}
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if not isinstance(value, Group):
            if name in settings.model_fields_set:
                variables[f"{PREFIX}{name.upper()}"] = _text(value)
            continue
        for field in sorted(value.model_fields_set | _ALWAYS.get(name, set())):
            variables[f"{PREFIX}{name.upper()}__{field.upper()}"] = _text(getattr(value, field))
    return variables


def _text(value: Any) -> str:
    plain = _plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain)


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Group):
        return {name: _plain(getattr(value, name)) for name in sorted(value.model_fields_set)}
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value if isinstance(value, bool | int | float | None) else str(value)
