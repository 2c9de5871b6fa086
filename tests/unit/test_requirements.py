"""Every requirement and every threat names tests that exist; a requirement may say that it is not met."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "requirements.md"
THREATS = ROOT / "SECURITY.md"
MIN_ROWS = 130
MIN_THREATS = 15
TEST = re.compile(r"`(tests/[^`]+)`")
UNSHOWN = ("not yet", "not shown by a test")


def rows(text: str) -> list[tuple[str, str, str]]:
    """Return requirement, how it is met, and tests of each row of the page's tables."""
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]
    found = [tuple(cell.strip() for cell in line) for line in cells]
    assert all(len(row) == 3 for row in found)
    return [(row[0], row[1], row[2]) for row in found if row[0] not in {"requirement", "threat", "---"}]


def wrong(text: str) -> list[str]:
    """Return a sentence for each named test that is gone, and for each row that neither is shown nor says so."""
    found = []
    for requirement, how, tests in rows(text):
        named = TEST.findall(tests)
        if bool(named) == any(word in how for word in UNSHOWN):
            found.append(f"{requirement}: it has either a test or the words {UNSHOWN}")
        found += [f"{requirement}: there is no {each}" for each in named if not exists(each)]
    return found


def exists(test: str) -> bool:
    path, _, name = test.partition("::")
    file = ROOT / path
    function = re.escape(name.partition("[")[0])
    return file.is_file() and (
        not name or re.search(rf"^def {function}\(", file.read_text("utf-8"), re.MULTILINE) is not None
    )


def test_every_requirement_names_tests_that_exist_or_is_not_met() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert wrong(text) == []
    found = [requirement for requirement, _, _ in rows(text)]
    assert len(found) >= MIN_ROWS
    assert len(found) == len(set(found))


def test_every_threat_names_tests_that_exist() -> None:
    defended = THREATS.read_text(encoding="utf-8").split("## What is defended, and how\n")[1].split("\n## ")[0]
    assert wrong(defended) == []
    assert not [threat for threat, how, _ in rows(defended) if any(word in how for word in UNSHOWN)]
    assert len(rows(defended)) >= MIN_THREATS


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("| a | b | `tests/unit/test_requirements.py::test_that_is_gone` |", "there is no"),
        ("| a | b | `tests/unit/test_gone.py` |", "there is no"),
        ("| a | b | none |", "either a test"),
        ("| a | **not yet** | `tests/unit/test_requirements.py` |", "either a test"),
    ],
)
def test_a_row_that_is_not_true_is_found(row: str, fault: str) -> None:
    (sentence,) = wrong(row)
    assert fault in sentence
