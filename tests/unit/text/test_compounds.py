"""Words written together, and numbers in groups of digits."""

import pytest

from interlace.text.bm25 import chunk_terms, query_terms, term_id
from interlace.text.compounds import joined_numbers, set_apart, words_within


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Set maxRetryCount to 3.", ["max", "retri", "count"]),
        ("ThreadPoolExecutor and HTTPServer", ["thread", "pool", "executor", "http", "server"]),
        ("http2SessionTimeout, onSend", ["http", "session", "timeout", "send"]),
        ("McDonald, MacArthur, FitzGerald, LaTeX and GraphQL are names.", []),
        ("5 kWh, 3 eV, mRNA, iPhone", []),
        ("max_retry_count, retries and URLs are separate words, or one.", []),
    ],
)
def test_an_identifier_has_its_words(text: str, words: list[str]) -> None:
    assert words_within(text) == words


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("`http2SessionTimeout`, onSend()", "`http 2 Session Timeout`, on Send()"),
        ("ThreadPoolExecutor, get_maxSize", "Thread Pool Executor, get_max Size"),
        ("GitHub, ThreadPool, McDonald, kWh, Größe", "GitHub, ThreadPool, McDonald, kWh, Größe"),
        ("javaScript is known", "javaScript is known"),
    ],
)
def test_identifiers_are_set_apart_but_for_names_and_what_is_known(text: str, apart: str) -> None:
    assert set_apart(text, {"javaScript"}.__contains__) == apart


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("At most 10,000 files of 1.234.567 bytes.", ["10000", "1234567"]),
        ("12\u00a0500 CHF, 12\u202f500 CHF, 12'500 CHF, 12\u2019500 CHF", ["12500"] * 4),
        ("3.14, 2,50, 1,2345, v1.200, 1,000.5 and 1,000.50", []),
        ("from 1990 to 2,000 or 1,000-2,000", ["2000", "1000", "2000"]),
    ],
)
def test_grouped_digits_are_one_number(text: str, numbers: list[str]) -> None:
    assert joined_numbers(text) == numbers


def test_words_of_an_identifier_find_its_chunk_and_leave_its_length() -> None:
    words, parts = ("maxRetryCount", "maxretrycount"), {term_id(each) for each in ("max", "retri", "count")}
    compound, plain = (dict(zip(*chunk_terms(f"Set {word} to 3."), strict=True)) for word in words)
    assert parts <= set(query_terms("max retry count")[0])
    assert compound.keys() - plain.keys() == parts
    assert {term: weight for term, weight in compound.items() if term not in parts} == plain


@pytest.mark.parametrize("written", ["10,000", "10.000", "10'000", "10000"])
def test_a_number_is_found_however_its_digits_are_grouped(written: str) -> None:
    for asked in ("10,000 visitors", "10000 visitors", "10.000 Besucher und die Kosten der Stadt"):
        assert term_id("10000") in query_terms(asked)[0]
    assert term_id("10000") in chunk_terms(f"The museum had {written} visitors.")[0]
