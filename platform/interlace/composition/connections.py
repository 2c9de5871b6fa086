"""Connections to servers and models as the settings name them, each opened on first use.

Heavy libraries are imported where they are needed, so that a command loads no model that it does not use.
"""

from functools import cached_property

from pydantic import SecretStr

from interlace.adapters.neo4j.database import Neo4jDatabase
from interlace.adapters.neo4j.statements import Neo4jStatements
from interlace.domain.errors import SettingsError
from interlace.ports.analytics import GraphAnalytics
from interlace.ports.language_model import LanguageModel
from interlace.ports.models import Embedder, Reranker
from interlace.ports.queue import TaskQueue
from interlace.ports.rate_limiter import RateLimiter
from interlace.ports.syntax import SyntaxParser
from interlace.ports.tokens import TokenCounter
from interlace.ports.vectors import VectorIndex
from interlace.settings import FurtherModel, LlmPurpose, Settings


class Connections:
    """What the platform connects to: graph, vector index, queue, models."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def graph(self) -> Neo4jDatabase:
        """The graph database."""
        return Neo4jDatabase(self.settings.neo4j)

    @cached_property
    def statements(self) -> Neo4jStatements:
        """The runner of statements that callers wrote."""
        return Neo4jStatements(self.settings.neo4j)

    @cached_property
    def analytics(self) -> GraphAnalytics:
        """The graph algorithms of the database."""
        from interlace.adapters.neo4j.analytics import Neo4jAnalytics

        return Neo4jAnalytics(self.settings.neo4j)

    @cached_property
    def vectors(self) -> VectorIndex:
        """The vector index."""
        from interlace.adapters.qdrant.index import QdrantVectorIndex

        return QdrantVectorIndex(self.settings.qdrant)

    @cached_property
    def queue(self) -> TaskQueue:
        """The task queue."""
        from interlace.adapters.redis.queue import CeleryQueue

        return CeleryQueue(self.settings.redis, self.settings.worker)

    @cached_property
    def rate_limiter(self) -> RateLimiter:
        """The rate limiter of callers' requests."""
        from interlace.adapters.redis.rate_limiter import RedisRateLimiter

        return RedisRateLimiter(self.settings.redis)

    @cached_property
    def syntax_parser(self) -> SyntaxParser:
        """The syntactic parser."""
        from interlace.adapters.spacy.parser import SpacyParser

        return SpacyParser(self.settings.spacy.pipeline)

    def syntax_parsers(self) -> dict[str, SyntaxParser]:
        """Return the parsers of other languages that are installed, by language."""
        from interlace.adapters.spacy.parser import SpacyParser
        from interlace.adapters.spacy.pipelines import other_pipelines

        return {language: SpacyParser(name) for language, name in other_pipelines(self.settings.spacy.pipeline).items()}

    @cached_property
    def embedder(self) -> Embedder | None:
        """The first embedding model; None if embeddings are off.

        Raises:
            SettingsError: its files are not on this machine.
        """
        embedding = self.settings.embedding
        if not embedding.enabled:
            return None
        if embedding.service:
            return self._service(embedding.service, embedding.model)
        if embedding.folder is None:
            raise SettingsError(
                f"The embedding model {embedding.model} is not on this machine: `interlace up` fetches it, "
                "INTERLACE_EMBEDDING__FOLDER names a folder that has one, INTERLACE_EMBEDDING__ENABLED=false turns embeddings off."
            )
        from interlace.adapters.onnx.embedder import OnnxEmbedder

        return OnnxEmbedder(embedding.folder, embedding.model, threads=embedding.threads)

    def load_embedder(self, name: str) -> Embedder:
        """Return an embedding model by name.

        Raises:
            KeyError: there is no such model.
            SettingsError: its files are not where the settings say.
        """
        embedding = self.settings.embedding
        if name == embedding.model and self.embedder is not None:
            return self.embedder
        model = embedding.models[name]
        if model.folder is None:
            return self._service(model.service, name, model)
        from interlace.adapters.onnx.embedder import OnnxEmbedder

        return OnnxEmbedder(
            model.folder, name, embedding.threads, query_prefix=model.query_prefix, pooling=model.pooling
        )

    def _service(self, service: str, name: str, further: FurtherModel | None = None) -> Embedder:
        """Return an embedding model behind a service; the language model's key goes to its own server or provider alone."""
        from interlace.adapters.litellm.embedder import LiteLlmEmbedder

        llm = self.settings.llm
        url = further.url if further else llm.url
        provider = llm.model.partition("/")[0]
        shared = url == llm.url if url else further is None and provider in {"", service.partition("/")[0]}
        own = further.api_key if further else SecretStr("")
        key = llm.api_key if shared and not own else own
        return LiteLlmEmbedder(
            service,
            name,
            url=url,
            api_key=key.get_secret_value(),
            query_prefix=further.query_prefix if further else "",
            timeout=llm.timeout,
            further=further is not None,
        )

    @cached_property
    def token_counter(self) -> TokenCounter | None:
        """The embedding model's tokenizer; None if embeddings are off."""
        embedding = self.settings.embedding
        if not embedding.enabled or embedding.folder is None:
            return None
        from interlace.adapters.onnx.tokens import OnnxTokenCounter

        return OnnxTokenCounter(embedding.folder, embedding.model)

    def load_reranker(self) -> Reranker:
        """Return the reranker of the settings, which must choose one."""
        chosen = self.settings.reranker
        if chosen.folder is not None:
            from interlace.adapters.onnx.cross_encoder import OnnxCrossEncoder

            return OnnxCrossEncoder(chosen.folder, threads=self.settings.embedding.threads, timeout=chosen.timeout)
        from interlace.adapters.litellm.reranker import LiteLlmReranker

        key = chosen.api_key.get_secret_value()
        return LiteLlmReranker(chosen.service, url=chosen.url, api_key=key, timeout=chosen.timeout)

    def language_model_for(self, purpose: LlmPurpose) -> LanguageModel | None:
        """Return the language model for a purpose; None if the settings name none."""
        chosen = self.settings.llm
        name = chosen.model_for(purpose)
        # A call that no one waits for any longer should end.
        timeout = min(chosen.timeout, chosen.answer_seconds) if purpose == "answers" else chosen.timeout
        return self.language_model(name, timeout) if name else None

    def language_model(self, name: str, timeout: float | None = None) -> LanguageModel:
        """Return the language model ``provider/model``, whose library is loaded with its first call.

        A call may take ``timeout`` seconds; None stands for the settings' own limit.
        """
        from interlace.adapters.litellm.language_model import LiteLlmLanguageModel

        chosen = self.settings.llm
        key = chosen.api_key.get_secret_value()
        return LiteLlmLanguageModel(name, url=chosen.url, api_key=key, timeout=timeout or chosen.timeout)
