"""Questions that want an answer, as callers send them."""

from pydantic import ConfigDict, Field

from interlace.api.schemas.filters import BoundedFilter, filter_of
from interlace.api.schemas.policy import EmbeddingModel
from interlace.api.schemas.questions import Question
from interlace.api.schemas.request_body import RequestBody
from interlace.domain.answers import DEFAULT_SENTENCES, MAX_SENTENCES, AnswerRequest
from interlace.domain.hits import Mode, QueryRequest

_MAX_HITS = 50


class AnswerBody(RequestBody):
    """A question to all documents of a tenant, to be answered in sentences."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "Who founded the company that built the first turbine?"}]}
    )

    query: Question = Field(
        description="the question", examples=["Who founded the company that built the first turbine?"]
    )
    sentences: int = Field(DEFAULT_SENTENCES, ge=1, le=MAX_SENTENCES, description="sentences wanted at most")
    limit: int = Field(10, ge=1, le=_MAX_HITS, description="hits that the answer may draw on")
    filters: BoundedFilter | None = Field(None, description="metadata that every hit must have")
    mode: Mode = Field(
        "auto",
        description="which legs may find the hits; `auto` asks all legs at once, or the graph first where the server's settings say so",
    )
    model: EmbeddingModel = None
    insist: bool = Field(default=False, description="answer even where the evidence seems insufficient")
    extractive: bool = Field(default=False, description="quote only, also where a language model is there to write")

    def to_domain(self) -> AnswerRequest:
        """Return the request in the domain's words."""
        return AnswerRequest(
            QueryRequest(
                text=self.query, mode=self.mode, limit=self.limit, where=filter_of(self.filters), model=self.model
            ),
            sentences=self.sentences,
            insist=self.insist,
            extractive=self.extractive,
        )
