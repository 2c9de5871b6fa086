"""Code, addresses, files, dates and exclamations are no names."""

import pytest

from interlace.extraction.notation import humps, is_currency, is_exclamation, is_notation, is_unit, is_value


@pytest.mark.parametrize(
    "surface",
    [
        "INTERLACE_API__KEYS", "https://example.org/a", "www.example.org", "ada@example.org", "msg.warn", "idna.core.InvalidCodepoint",
        "--prune", "-v", "docs/README.md", "pyproject.toml", "Prices 2025.xlsx", "Letter.odt", 'C("foo', "e)<-[:MENTIONS]-", "getEffectiveLevel", "Son- of-",
        "DeprecationWarning", "a::b", "02T08:14:03.870Z INFO", "Miss Indian America]]Through",
        "Ctrl-C", "Ctrl+Shift+P", "Alt+F4", "Shift+Tab", "getRPCInterface", "readMainLog xmlrpc API", "Grammar.refactor",
    ],
)  # fmt: skip
def test_code_addresses_and_files_are_notation(surface: str) -> None:
    assert is_notation(surface)


@pytest.mark.parametrize(
    "surface",
    [
        "Neo4j", "Node.js", "AC/DC", "C++", "macOS", "iPhone", "GitHub", "AT&T", 'Benjamin "Bugsy" Siegel', "Mollison (aviator)",
        "Dr. Luke", "Spider-Man", "Yahoo!", "Guns N' Roses", "ASP.NET", "Amazon.com", "50 Cent", "Jean-Luc",
        "eBay", "iPad Pro", "JavaScript", "PostgreSQL", "Version Control", "PyData.org", "CVE-2017-11610", "RFC 2616", "Apollo 11", "PEP 484", "Shift-JIS", "Alt-Right", "EUR", "PHP 8", "ING", "COP26", "COP 28",
    ],
)  # fmt: skip
def test_names_are_neither_notation_nor_values(surface: str) -> None:
    assert not is_notation(surface)
    assert not is_value(surface)


@pytest.mark.parametrize(
    "surface",
    [
        "January 2020",
        "Fri",
        "Monday",
        "early May",
        "~1200 kB",
        "3.14",
        "91.1 FM",
        "E.g.",
        "i.e",
        "True",
        "June",
        "12th",
        "Version 0.17.21",
        "Section 5",
        "CET+0100",
        "+6 °C",
        "\u22128°F",
        "MiB",
        "III",
        "EUR 500",
        "EUR 1.2 million",
        "EUR 1,250.00",
        "300 CHF",
        "Prof. Dr.",
        "Dipl.-Ing",
        "INFO",
        "WARN",
    ],
)
def test_dates_numbers_and_abbreviations_are_values(surface: str) -> None:
    assert is_value(surface)


def test_exclamations_in_all_their_lengths() -> None:
    assert all(map(is_exclamation, ["Wow", "Aww", "Oooh", "Hmm", "Thanks", "Yayyy", "Haha"]))
    assert not any(map(is_exclamation, ["Ada", "Anna", "Max", "Otto"]))


def test_capitals_divide_a_word() -> None:
    assert humps("PoolManager") == ["Pool", "Manager"]
    assert humps("HTTPServer") == ["HTTPS", "erver"] or humps("HTTPServer")[0].startswith("HTTP")


@pytest.mark.timeout(20)
def test_long_repetitions_are_read_in_linear_time() -> None:
    assert not is_exclamation("Haa" + "haa" * 500 + "x")
    assert is_exclamation("Haa" + "haa" * 500)
    assert not is_value("Jan." * 500 + "x")
    assert not is_value("Fri." * 500 + "x")
    assert not is_value("a.m." * 500 + "x")


def test_codes_of_currencies_are_known_in_capitals_alone() -> None:
    assert all(map(is_currency, ["EUR", "CHF", "USD"]))
    assert not any(map(is_currency, ["Eur", "try", "PHP", "Bosch"]))


def test_letters_are_units_behind_a_number_alone() -> None:
    assert all(map(is_unit, ["mM", "μL.", "kWh", "°C", "V", "M"]))
    assert not any(map(is_unit, ["I", "MB1", "Malta", "in"]))
    assert [unit for unit in ("mM", "kWh", "V", "M", "Da") if is_unit(unit, counted=False)] == ["mM", "kWh"]
