"""Source code: comments and documentation are prose, everything else is code."""

import time

import pytest
from tests.support.parsing import read

from interlace.domain.documents import ParsedDocument
from interlace.parsing.media import TEXT

PYTHON = '''"""Slots of the Harbour laundry."""

import math  # rounding

# Asked for by Ada Byron.

SIZE = """Not documentation."""


def slot(minutes: int) -> int:
    """Return the slot.

    Wasch AG counts from midnight.
    """
    return math.ceil(minutes / 15)
'''


def prose(parsed: ParsedDocument) -> list[str]:
    """Return the lines that are no code."""
    code = {line for start, end in parsed.literals for line in parsed.text[start:end].split("\n")}
    return [line.strip() for line in parsed.text.split("\n") if line.strip() and line not in code]


def test_comments_and_documentation_are_prose_and_the_text_stays() -> None:
    parsed = read(PYTHON, TEXT, "app/slots.py")
    assert (parsed.title, parsed.text, parsed.language) == ("slots", PYTHON.strip(), "en")
    assert prose(parsed) == [
        '"""Slots of the Harbour laundry."""', "# Asked for by Ada Byron.", '"""Return the slot.', "Wasch AG counts from midnight.", '"""',
    ]  # fmt: skip
    assert [parsed.text[start:end].split("\n")[0] for start, end in parsed.literals] == [
        "import math  # rounding", 'SIZE = """Not documentation."""', "def slot(minutes: int) -> int:", "    return math.ceil(minutes / 15)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("uri", "text", "comments"),
    [
        ("a.go", "// Open reads.\nfunc Open() {}\n", ["// Open reads."]),
        ("a.rs", "/// Opens.\nfn open() {} // not\n", ["/// Opens."]),
        ("a.c", "#include <a.h>\n/* Two\n   lines. */\nint a;\n", ["/* Two", "lines. */"]),
        ("A.java", "/** Opens. */\n@Deprecated\nclass A {}\n", ["/** Opens. */"]),
        ("a.ts", 'export const A = "// no"\n// Yes.\n', ["// Yes."]),
        ("a.SQL", "-- Frozen.\nALTER TABLE a ALTER b SET NOT NULL;\n", ["-- Frozen."]),
        ("x/a.php", "<?php\n# Paid.\necho 1;\n", ["# Paid."]),
        ("a.sh", "echo '# no'\n# Nightly.\n", ["# Nightly."]),
        ("ops/Dockerfile", "# The API.\nFROM debian\nCOPY app /srv\n", ["# The API."]),
        (f"{'deep/' * 60}a.py", "# Far down.\nimport a\n", ["# Far down."]),
        ("https://host.example/src/Makefile?raw=1", "# Build.\nall:\n\tmake a\n", ["# Build."]),
    ],
)
def test_comments_are_known_in_many_languages(uri: str, text: str, comments: list[str]) -> None:
    assert prose(read(text, "", uri)) == comments


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("settings.yaml", "# Owner\nowner: Ada Byron\n"),
        ("file", "# Owner\nAda Byron\n"),
        ("notes.txt", "# Owner\nAda Byron\n"),
        ("dump.sql", "-- Dump\n" + "INSERT INTO a VALUES (1);\n" * 12_000),
    ],
)
def test_other_texts_and_dumps_have_no_code(uri: str, text: str) -> None:
    assert not read(text, "", uri).literals


@pytest.mark.parametrize("text", ["/*" * 100_000, '"""\n' * 50_000, "f(" * 100_000])
@pytest.mark.parametrize("suffix", ["py", "rb"])
def test_unbalanced_code_does_not_take_long(text: str, suffix: str) -> None:
    start = time.perf_counter()
    read(text, "", f"a.{suffix}")
    assert time.perf_counter() - start < 15
