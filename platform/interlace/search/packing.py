"""Answers a question and packs its hits into a token budget."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from interlace.domain.effort import with_tokens
from interlace.domain.hits import Hit, QueryRequest, QueryResponse, SearchQuestions
from interlace.domain.packing import Pack, PackItem, PackRequest
from interlace.ports.graph import GraphDatabase
from interlace.ports.tokens import TokenCounter
from interlace.queries.chunks import PackChunksRow, pack_chunks
from interlace.search.knapsack import PackWeights, pack
from interlace.search.profile import PROFILE
from interlace.settings import PackSettings
from interlace.text.counting import count_tokens

BY_WORDS = "words"
"""The name of the fallback without a tokenizer: it counts words and punctuation marks, times ``tokens_per_word``."""
_GAP = "\n\n"


@dataclass(frozen=True, slots=True)
class Packer:
    """Answers questions and packs their hits. Safe for use by several threads.

    Args:
        graph: knows what kind of chunk each hit is.
        search: answers a tenant's question.
        counter: returns the tokenizer of the embedding model; none when embeddings are off.
        settings: weights that differ from the built-in ones.
    """

    graph: GraphDatabase
    search: SearchQuestions
    counter: Callable[[], TokenCounter | None]
    settings: PackSettings

    def query(self, tenant: str, request: QueryRequest, pack_request: PackRequest) -> QueryResponse:
        """Answer a question, with as many hits as it asks for, and pack the best of the pack's candidates.

        Raises:
            InvalidInputError: the question is invalid, or more candidates are asked for than a question may have hits.
            UnavailableError: the graph does not answer.
        """
        candidates = pack_request.candidates or PROFILE.packing.candidates
        response = self.search(tenant, replace(request, limit=max(request.limit, candidates)))
        packed = self.pack_hits(tenant, response.hits[:candidates], pack_request)
        read = sum(item.tokens for item in packed.items)
        effort = with_tokens(response.effort, read)
        return replace(response, hits=response.hits[: request.limit], pack=packed, effort=effort)

    def pack_hits(self, tenant: str, hits: Sequence[Hit], request: PackRequest) -> Pack:
        """Pack some hits, best first.

        Raises:
            UnavailableError: the graph does not answer.
        """
        rows = {row.id: row for row in pack_chunks(self.graph, tenant=tenant, ids=[hit.chunk_id for hit in hits])}
        counter = self.counter()
        return self._packed(self._items([hit for hit in hits if hit.chunk_id in rows], rows, counter), request, counter)

    def pack(self, items: Sequence[PackItem], request: PackRequest) -> Pack:
        """Pack texts found elsewhere; their tokens are counted here and their scores divided by the highest."""
        counter = self.counter()
        texts = [item.text + _GAP for item in items]
        costs = counter.count(texts) if counter else [self._words(count_tokens(text)) for text in texts]
        best = max((item.score for item in items), default=0.0)
        counted = [
            replace(item, tokens=cost, score=item.score / best if best > 0 else 1.0)
            for item, cost in zip(items, costs, strict=True)
        ]
        return self._packed(counted, request, counter)

    def _packed(self, items: Sequence[PackItem], request: PackRequest, counter: TokenCounter | None) -> Pack:
        decided = pack(items, request.budget, self._weights(request))
        taken = {item.id for item in decided if item.taken}
        return Pack(
            budget=request.budget,
            tokens=sum(item.tokens for item in decided if item.taken),
            tokenizer=counter.name if counter else BY_WORDS,
            text=_GAP.join(item.text for item in items if item.id in taken),
            items=decided,
        )

    def _weights(self, request: PackRequest) -> PackWeights:
        chosen = self.settings.weights
        return PackWeights(
            category={**chosen.category, **request.category_weights},
            epistemic={**PROFILE.packing.epistemic, **chosen.epistemic, **request.epistemic_weights},
            diversity=PROFILE.packing.diversity if request.diversity is None else request.diversity,
        )

    def _items(
        self, hits: Sequence[Hit], rows: dict[str, PackChunksRow], counter: TokenCounter | None
    ) -> list[PackItem]:
        texts = [f"{rows[hit.chunk_id].context}\n{hit.text}" for hit in hits]
        costs = (
            counter.count([text + _GAP for text in texts])
            if counter
            else [self._words(row.tokens + count_tokens(row.context)) for row in (rows[hit.chunk_id] for hit in hits)]
        )
        best = max((hit.score for hit in hits), default=0.0)
        return [
            PackItem(
                id=hit.chunk_id,
                score=hit.score / best if best > 0 else 1.0,
                tokens=cost,
                category=_text(row.category) or row.section_type,
                epistemic=_text(row.epistemic),
                text=text,
                document=hit.document_id,
                content=hit.text,
            )
            for hit, text, cost in zip(hits, texts, costs, strict=True)
            for row in (rows[hit.chunk_id],)
        ]

    def _words(self, count: int) -> int:
        return math.ceil(count * PROFILE.packing.tokens_per_word)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
