"""Which words are the titles of other pages of the same site, by the links of a document."""

import pytest

from interlace.domain.documents import ParsedDocument, Source
from interlace.parsing.cited_titles import cited_titles
from interlace.parsing.registry import parse
from interlace.parsing.sandbox.limits import ParseLimits


def read(text: str, media_type: str = "text/markdown") -> ParsedDocument:
    return parse(Source("guide", media_type, text.encode()), ParseLimits())


def cited(text: str, media_type: str = "text/markdown") -> list[str]:
    parsed = read(text, media_type)
    return [parsed.text[start:end] for start, end in cited_titles(parsed)]


@pytest.mark.parametrize("target", ["start.md", "../a/start.md#b", "/docs/start/", "#b", "start.html"])
def test_the_words_of_a_link_within_the_site_are_a_title(target: str) -> None:
    assert cited(f"See [Getting Started]({target}) first.") == ["Getting Started"]
    assert cited(f"<p>See <a href='{target}'>Getting Started</a> first.</p>", "text/html") == ["Getting Started"]


@pytest.mark.parametrize("target", ["https://example.org/start.md", "//example.org/start", "mailto:ada@example.org"])
def test_the_words_of_a_link_to_another_host_are_none(target: str) -> None:
    assert cited(f"See [Getting Started]({target}) first.") == []


def test_wiki_links_and_typed_references_name_their_targets() -> None:
    assert cited("See [[Getting Started]] and [[Ada Lovelace#person]].") == []


def test_words_that_occur_outside_such_links_too_are_names() -> None:
    assert cited("See [Blue Whale](whale.md). The Blue Whale waits.") == []
    assert cited("See [Spark](spark.md). We run Spark.") == []
    assert cited("See [Blue Whale](whale.md). Blue Whales wait, and [Blue Whale](b.md).") == ["Blue Whale"] * 2


def test_a_word_that_begins_a_sentence_is_no_witness() -> None:
    assert cited("See [Reply](reply.md). Reply to it.") == ["Reply"]


def test_each_page_of_a_list_is_cited() -> None:
    pages = ["First Steps", "Second Steps", "Third Steps"]
    listed = "\n".join(f"- [{page}]({number}.md)" for number, page in enumerate(pages))
    assert cited(f"# Contents\n\n{listed}\n") == pages
