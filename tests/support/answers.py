"""Hits and responses as the search returns them, for answers without a stack, and outputs of a model that answers."""

from collections.abc import Sequence
from typing import Any

from interlace.domain.answers import Answer, AnswerSentence, Citation, Generation, Sufficiency
from interlace.domain.hits import Hit, LegRank, PathStep, QueryResponse


def hit(rank: int, title: str, text: str, *, path: Sequence[tuple[str, str]] = (), cosine: float = 0.8) -> Hit:
    """Return a hit whose chunk is called after its title; ``path`` has entities and the titles of chunks that name them."""
    return Hit(
        rank=rank,
        score=1 / rank,
        chunk_id=f"chunk {title}",
        document_id=f"document {title}",
        title=title,
        source_uri=f"notes/{title}.md",
        section="",
        text=text,
        start=100,
        end=100 + len(text),
        tags=(),
        metadata={},
        legs=(LegRank("vector", rank, cosine, 0.3, 0.005),),
        path=tuple(PathStep(f"entity {name}", name, f"chunk {where}", where, "") for name, where in path),
        boosts={},
        cypher="",
    )


def response(question: str, *hits: Hit, degraded: tuple[str, ...] = ()) -> QueryResponse:
    """Return a response with these hits."""
    return QueryResponse(
        query=question,
        hits=hits,
        intent={},
        weights={},
        entities={},
        retrieval_mode="hybrid",
        retrieval_path=("vector",),
        retrieval_reason="",
        degraded=degraded,
        timings={"total": 10.0},
        effort={"legs": 1, "hops": 0, "candidates": 3, "tokens": 0, "lambda": 10.0},
    )


FERRY = hit(
    1,
    "The Grey Ferry",
    "The Grey Ferry is a silent film of 1911. It was directed by Orla Venning. It was shot in two weeks.",
    path=[("The Grey Ferry", "The Grey Ferry")],
)
VENNING = hit(
    2,
    "Orla Venning",
    "Orla Venning was a Danish director. She was born in Aalborg and married Knud Strand.",
    path=[("The Grey Ferry", "The Grey Ferry"), ("Orla Venning", "The Grey Ferry"), ("Orla Venning", "Orla Venning")],
)
BREAD = hit(3, "Rye bread", "Mix flour, water and salt. Wait a night, then bake for an hour.", cosine=0.4)
TWO_HOPS = "Whom did the director of The Grey Ferry marry?"


def answered(sufficiency: Sufficiency, text: str, *sources: str, generated: bool = False, short: str = "") -> Answer:
    """Return an answer of one sentence that cites a chunk of each source; a generated one took 7 tokens."""
    citations = tuple(
        Citation(number, f"c{number}", source, source, source, "", 0, len(text), text)
        for number, source in enumerate(sources, start=1)
    )
    return Answer(
        question="Who?",
        mode="generated" if generated else "extractive",
        sentences=(AnswerSentence(text, tuple(each.number for each in citations)),),
        citations=citations,
        abstained=False,
        missing="",
        sufficiency=sufficiency,
        hits=(),
        degraded=(),
        timings={},
        effort={},
        tokens=7 if generated else 0,
        generation=Generation("openai/any", 1, short) if generated else None,
    )


def said(*sentences: tuple[str, list[tuple[int, str]]], short: str = "", missing: str = "") -> dict[str, Any]:
    """Return an output of these sentences, each with the numbers and quotes of its citations, in the order of the schema."""
    shown = [
        {"text": text, "citations": [{"evidence": number, "quote": quote} for number, quote in cited]}
        for text, cited in sentences
    ]
    return {"answerable": True, "missing": missing, "sentences": shown, "short": short}
