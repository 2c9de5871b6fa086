"""Look up what a language model wrote about entities and communities."""

from collections.abc import Sequence

import orjson

from interlace.domain.generated_text import GeneratedText, generated_text
from interlace.ports.graph import GraphDatabase
from interlace.queries.summaries import shown_texts


def read_generated_texts(graph: GraphDatabase, tenant: str, ids: Sequence[str]) -> dict[str, GeneratedText]:
    """Return texts by id of entity or community; only those whose sources are all as the model read them."""
    rows = shown_texts(graph, tenant=tenant, ids=list(ids)) if ids else []
    made = ((row.about, generated_text(row.model, orjson.loads(row.output))) for row in rows)
    return {about: text for about, text in made if text is not None}
