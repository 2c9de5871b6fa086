"""The services that write with a language model's help: what it is asked, the loop that asks it, and what people see of it."""

from functools import cached_property

from interlace.composition.queries import QueryServices
from interlace.enrichment.estimate import ExtractionEstimate
from interlace.enrichment.overview import EnrichmentControl
from interlace.enrichment.reader import TextReader
from interlace.enrichment.service import Enricher
from interlace.enrichment.setup import ExtractionSetup
from interlace.extraction.schema import load_schema
from interlace.ingestion.older_chunks import OlderChunks
from interlace.ingestion.preview import Estimate
from interlace.ingestion.writer import GraphWriter
from interlace.language_models.budget import TokenBudget
from interlace.summaries.author import TextAuthor
from interlace.summaries.prompt import setup_key
from interlace.summaries.service import SummaryWriter

_LEASE_SECONDS = 60.0  # beyond the calls for the chunks that are read at a time


class EnrichmentServices(QueryServices):
    """Writers of the graph, and extraction by a language model; each is made when it is first used."""

    @cached_property
    def extraction_setup(self) -> ExtractionSetup | None:
        """What a language model is asked; none where the settings name no model."""
        model = self.settings.llm.model_for("extraction")
        return ExtractionSetup(model, load_schema(self.settings.llm.extraction_schema)) if model else None

    @cached_property
    def older_chunks(self) -> OlderChunks:
        """Links older chunks to names that come or go."""
        return OlderChunks(self.graph, self.entity_linkers)

    @cached_property
    def graph_writer(self) -> GraphWriter:
        """Writes documents, and a language model's evidence."""
        key = self.extraction_setup.interpretation_key if self.extraction_setup else ""
        return GraphWriter(
            self.graph, self.entity_linkers, list(self.embedders), self.older_chunks.batch_size, extraction_key=key
        )

    @cached_property
    def enricher(self) -> Enricher | None:
        """Lets a language model read documents that wait for it; none where there is no model."""
        setup, llm = self.extraction_setup, self.settings.llm
        if setup is None:
            return None
        budget = TokenBudget(self.graph, setup.model, per_day=llm.max_tokens_per_day, per_job=llm.max_tokens_per_job)
        model = self.language_model(setup.model)
        reader = TextReader(self.graph, model, setup, budget, concurrency=llm.concurrency, timeout=llm.timeout)
        lease = _LEASE_SECONDS + 2 * llm.timeout
        return Enricher(self.graph, self.graph_writer, self.older_chunks, setup, reader, lease_seconds=lease)

    @property
    def summaries_key(self) -> str:
        """The key of what a language model writes about entities and communities; empty where none does."""
        model = self.settings.llm.model_for("summaries")
        return setup_key(model) if model else ""

    @cached_property
    def summary_writer(self) -> SummaryWriter | None:
        """Has a language model write summaries and descriptions; none where the settings name none for it."""
        llm, name = self.settings.llm, self.settings.llm.model_for("summaries")
        if not name:
            return None
        budget = TokenBudget(self.graph, name, per_day=llm.max_tokens_per_day, per_job=0)
        return SummaryWriter(
            self.graph,
            TextAuthor(self.language_model(name), budget),
            self.summaries_key,
            limit=llm.summaries_most,
            concurrency=llm.concurrency,
            timeout=llm.timeout,
        )

    @property
    def extraction_estimate(self) -> Estimate | None:
        """What it would cost to have texts read; none where there is no model."""
        setup = self.extraction_setup
        return ExtractionEstimate(self.graph, self.language_model(setup.model), setup) if setup else None

    @cached_property
    def enrichment(self) -> EnrichmentControl:
        """Shows and controls what a language model does in the background."""
        return EnrichmentControl(self.graph, self.queue, self.extraction_setup, self.summaries_key)
