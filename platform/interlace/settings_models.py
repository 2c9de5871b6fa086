"""The settings of models: embedding models, reranker, language models."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, StringConstraints, model_validator

from interlace.domain.validation import MODEL
from interlace.settings_objects import Group, Seconds

ModelName = Annotated[str, StringConstraints(pattern=MODEL.pattern)]
LlmPurpose = Literal["answers", "extraction", "summaries"]


class FurtherModel(Group):
    """An additional embedding model: from a folder, or from a service through LiteLLM with a key of its own or that in the provider's own variable."""

    folder: Path | None = None
    service: str = ""
    url: str = ""
    api_key: SecretStr = SecretStr("")
    query_prefix: str = ""
    pooling: Literal["cls", "mean"] = "cls"

    @model_validator(mode="after")
    def _check_one_source(self) -> "FurtherModel":
        if (self.folder is None) == (not self.service):
            raise ValueError("a model has either a folder or a service")
        return self


class EmbeddingSettings(Group):
    """The embedding models."""

    enabled: bool = Field(default=True, description="off: only keyword, graph, tags and paths answer")
    model: ModelName = Field("bge-small-en-v1.5", description="name of the model and of its vector")
    folder: Path | None = Field(
        None, description="folder with model.onnx and tokenizer.json; empty: the one the stack fetched"
    )
    service: str = Field(
        "",
        description="PROVIDER/MODEL as LiteLLM writes them, instead of a folder; INTERLACE_LLM__URL and INTERLACE_LLM__API_KEY apply to it too",
    )
    models: dict[ModelName, FurtherModel] = Field(
        {},
        description="further models that questions may choose: a JSON object of names to `folder` and `pooling` (`cls` "
        "or `mean`), or `service`, `url` and `api_key`; optionally `query_prefix`",
    )
    threads: Annotated[int, Field(ge=1, le=64)] = Field(
        1, description="threads a process uses for a model, the cross-encoder included"
    )


class RerankerSettings(Group):
    """A model that reads question, chunk and path together and orders the first hits; off unless chosen."""

    folder: Path | None = Field(
        None, description="folder with model.onnx (one logit per pair of texts) and tokenizer.json"
    )
    service: str = Field("", description="PROVIDER/MODEL as LiteLLM writes them, instead of a folder")
    url: str = Field("", description="address of the service; empty: the provider's own")
    api_key: SecretStr = Field(
        SecretStr(""), description="API key of the service; empty: the one in the provider's own variable"
    )
    timeout: Seconds = Field(5, description="timeout in seconds, after which the hits keep the order they had")

    @model_validator(mode="after")
    def _check_choice(self) -> "RerankerSettings":
        if self.folder is not None and self.service:
            raise ValueError("a reranker has either a folder or a service (INTERLACE_RERANKER__SERVICE)")
        if not self.service and (self.url or self.api_key.get_secret_value()):
            raise ValueError("an address and a key need a service: set INTERLACE_RERANKER__SERVICE, as PROVIDER/MODEL")
        return self

    @property
    def chosen(self) -> bool:
        """Whether there is a reranker."""
        return self.folder is not None or bool(self.service)


class LlmSettings(Group):
    """Language models; none unless one is named."""

    model: str = Field(
        "", description="PROVIDER/MODEL as LiteLLM writes them; empty: no language model, no token spent"
    )
    url: str = Field("", description="address of a server of your own; empty: the provider's")
    api_key: SecretStr = Field(SecretStr(""), description="API key; empty: the one in the provider's own variable")
    timeout: Seconds = Field(60, description="timeout of one call in seconds")
    answers: str = Field(
        "on", description="who writes answers: `on` is the model above, `off` none, PROVIDER/MODEL another"
    )
    answer_seconds: Seconds = Field(
        20, description="seconds that writing an answer may take; then it quotes, unless sentences were shown"
    )

    extraction: str = Field(
        "on",
        description="who extracts entities and facts beside spaCy: `on` is the model above, `off` none, PROVIDER/MODEL another",
    )
    extraction_schema: Path | None = Field(
        None, description="YAML file with the types and relations that it may name; empty: the bundled one"
    )
    summaries: str = Field(
        "off",
        description="who writes summaries of communities and descriptions of entities: `off` none, they quote; `on` the model above, "
        "PROVIDER/MODEL another",
    )
    summaries_most: Annotated[int, Field(ge=1, le=100_000)] = Field(
        200, description="most mentioned entities, and largest communities, that it describes per tenant"
    )
    concurrency: Annotated[int, Field(ge=1, le=64)] = Field(4, description="concurrent calls per worker process")
    max_tokens_per_job: Annotated[int, Field(ge=0)] = Field(
        0, description="tokens that extraction may take for a job; 0: only the daily limit"
    )
    max_tokens_per_day: Annotated[int, Field(ge=0)] = Field(
        1_000_000,
        description="tokens that extraction, summaries and answers may take for a tenant, model and day (UTC); 0: no limit",
    )

    def model_for(self, purpose: LlmPurpose) -> str:
        """Return the model of a purpose; empty if it has none."""
        chosen: str = getattr(self, purpose)
        return {"on": self.model, "off": ""}.get(chosen, chosen)
