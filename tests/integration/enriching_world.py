"""An ingestion world with a language model: what waits for it is read when a test says so."""

from pathlib import Path
from typing import Any

from tests.integration.mortal_world import MortalWorld
from tests.support.recorded_provider import RecordedProvider

from interlace.export.backup import save
from interlace.export.restore import restore
from interlace.settings import LlmSettings, Settings

MODEL = "openai/recorded"
_ROUNDS = 20


def with_model(settings: Settings, provider: RecordedProvider, **llm: Any) -> Settings:
    """Return settings whose language model is a provider on loopback, asked one text at a time unless the test says otherwise."""
    chosen = {"concurrency": 1, "timeout": 60, "max_tokens_per_day": 0} | llm
    return settings.model_copy(update={"llm": LlmSettings(model=MODEL, url=provider.url, api_key="k", **chosen)})


class EnrichingWorld(MortalWorld):
    """A world whose documents a language model reads."""

    def enrich(self, tenant: str) -> int:
        """Read what is due; return how many chunks were."""
        enricher = self.platform.enricher
        assert enricher is not None
        return enricher.run(tenant)

    def restart(self) -> None:
        """Forget what a process remembers, how long to leave a provider alone included."""
        self._restart()

    def enrich_all(self, tenant: str) -> None:
        """Read until nothing waits, whatever time has to pass for it.

        Raises:
            AssertionError: something waits for good.
        """
        for _ in range(_ROUNDS):
            self.pass_time(tenant)
            self.enrich(tenant)
            if not self.platform.enrichment.state(tenant).documents:
                return
            self.restart()
        raise AssertionError(f"work is left: {self.platform.enrichment.state(tenant)}")

    def read_again(self, tenant: str, documents: dict[str, str]) -> None:
        """Have all read as a version does whose pipeline has another fingerprint."""
        self.run("MATCH (c:Chunk {tenant: $tenant}) SET c.links = 'other'", tenant)
        self.run("MATCH (d:Document {tenant: $tenant}) SET d.fingerprint = 'other'", tenant)
        self.ingest_and_enrich(tenant, documents)

    def bring_back(self, tenant: str, file: Path) -> None:
        """Save a tenant to a file, remove it, and restore it."""
        platform = self.platform
        save(platform.graph, [tenant], file, {}, pause=platform.communities.paused)
        self.clear(tenant)
        restore(platform.graph, platform.vectors, file)
        platform.entity_linkers.of(tenant).reset()

    def ingest_and_enrich(self, tenant: str, documents: dict[str, str], size: int = 32) -> None:
        """Bring documents to ready, and have them read."""
        self.ingest(tenant, documents, size)
        self.enrich_all(tenant)
