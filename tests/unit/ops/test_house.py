"""The rules of ``ops/checks/house.py`` on small samples."""

import pytest
from ops.checks.house import (
    Source,
    Violation,
    lines_by_package,
    long_files,
    long_functions,
    long_heads,
    over,
    package,
    raw_rows,
    read_sources,
    read_texts,
    repeated_aliases,
    repeated_classes,
    report,
    settings_fields,
    too_many_lines,
    too_many_settings,
    words,
)
from ops.checks.words import Text, as_words
from pydantic import BaseModel


def source(text: str, path: str = "platform/interlace/search/fuse.py") -> Source:
    return Source.of(path, text)


def test_a_file_may_have_as_many_lines_as_the_limit_and_no_more() -> None:
    assert list(long_files([source("x = 1\n" * 3)], limit=3)) == []
    (found,) = long_files([source("x = 1\n" * 4)], limit=3)
    assert str(found) == "platform/interlace/search/fuse.py:1: 4 lines; at most 3"


def test_the_docstring_of_a_function_does_not_count() -> None:
    text = 'def asked() -> None:\n    """One.\n\n    Two.\n    """\n    a = 1\n    b = 2\n'
    assert list(long_functions([source(text)], limit=2)) == []
    assert [found.sentence for found in long_functions([source(text)], limit=1)] == ["asked has 2 lines; at most 1"]


def test_methods_and_inner_functions_have_the_same_limit() -> None:
    text = "class A:\n    async def b(self) -> None:\n        def c() -> None:\n            x = 1\n            y = 2\n        c()\n"
    assert [found.sentence.split()[0] for found in long_functions([source(text)], limit=1)] == ["b", "c"]


def test_a_function_with_a_docstring_alone_has_no_lines() -> None:
    assert list(long_functions([source('def asked() -> None:\n    """Nothing."""\n')], limit=0)) == []


def test_a_class_name_in_two_modules_is_reported_once_with_both_places() -> None:
    first, second = source("class _Run: ...", "a.py"), source("class Other:\n    class _Run: ...", "b.py")
    (found,) = repeated_classes([first, second])
    assert (found.path, found.sentence) == ("a.py", "class _Run is also defined in b.py")


def test_a_name_of_a_type_in_two_modules_of_a_package_is_reported_once() -> None:
    text = "Row = Sequence[str]\n_Way = tuple[str, ...]\nLIMIT = 3\n"
    first, second, other = (source(text, f"platform/{path}.py") for path in ("interlace/a", "interlace/b", "edge/a"))
    (found,) = repeated_aliases([first, second, other])
    assert (found.path, found.sentence) == ("platform/interlace/a.py", "Row is also defined in platform/interlace/b.py")


def test_a_raw_row_is_found_outside_adapters() -> None:
    text = 'name = row["name"]\nother = row[0]\nfine = rows["name"]\n'
    assert [found.line for found in raw_rows([source(text)])] == [1]
    assert list(raw_rows([source(text, "platform/interlace/adapters/neo4j/values.py")])) == []


def test_a_file_may_have_a_ceiling_of_its_own() -> None:
    text = "x = 1\n" * 5
    assert [found.line for found in long_heads([source(text, "a.py"), source(text, "b.py")], {"a.py": 4})] == [1]


def test_the_total_leaves_out_the_stack_and_the_edge_server() -> None:
    sources = [source("x = 1\n" * 9, "platform/interlace_stack/up.py"), source("x = 1\n" * 3)]
    assert list(too_many_lines(sources, 3)) == []
    assert [found.sentence[:7] for found in too_many_lines(sources, 2)] == ["3 lines"]


class Object(BaseModel):
    one: int = 1
    other: int = 2


class Group(BaseModel):
    first: int = 1
    second: Object = Object()


class Root(BaseModel):
    tenant: str = ""
    group: Group = Group()


def test_settings_are_the_fields_of_groups_and_those_that_are_no_groups() -> None:
    assert settings_fields(Root) == 3
    assert list(too_many_settings(Root, 3)) == []
    assert [found.sentence for found in too_many_settings(Root, 2)] == ["3 settings; at most 2"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("def walked_entities() -> None: ...", "walked"),
        ("class PassageHit: ...", "passage"),
        ("# Tell whether it is there", "tell whether"),
        ("# Tell if it is there", "tell if"),
        ("index = key_of(name)", "key of"),
        ("intake = 1", "intake"),
        ("def shown(self) -> str: ...", "def shown"),
        ("a query is folded into a budget", "folded"),
    ],
)
def test_a_retired_word_is_found_in_identifiers_and_prose(line: str, found: str) -> None:
    assert f"“{found}”" in " ".join(violation.sentence for violation in words([Text("a.py", line)]))


@pytest.mark.parametrize(
    "line",
    [
        "for folder in os.walk(root): ...",
        "the sidewalk of the case-folded, manifold text",
        "client.post('/v1/fold')",
        "Represent this sentence for searching relevant passages: ",
        "a newcomer's walk-through",
        "key of the entity",
        "it shows what it described",
    ],
)
def test_what_only_looks_like_a_retired_word_is_allowed(line: str) -> None:
    assert list(words([Text("a.py", line)])) == []


def test_a_word_is_allowed_in_the_files_that_need_it() -> None:
    assert list(words([Text("docs/evaluation.md", "6,119 passages of 2wiki")])) == []


def test_identifiers_are_taken_apart() -> None:
    assert as_words("KnownName(walked_entities)") == "known name(walked entities)"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("platform/interlace/search/legs/dense.py", "search"),
        ("platform/interlace/settings.py", "interlace"),
        ("platform/interlace_stack/up.py", "interlace_stack"),
        ("workers/interlace_workers/app.py", "workers"),
        ("docs/adr/0001-layout.md", "docs/adr"),
        ("docs/evaluation.md", "docs"),
        ("tests/unit/links/test_walk.py", "tests/unit"),
        ("README.md", "README.md"),
    ],
)
def test_violations_are_counted_by_package(path: str, expected: str) -> None:
    assert package(path) == expected


def test_a_rule_fails_only_above_its_ceiling() -> None:
    found = [Violation("raw row", "a.py", 1, "one"), Violation("raw row", "b.py", 2, "two")]
    assert list(over(found, {"raw row": 2}, {})) == []
    assert list(over(found, {"raw row": 1}, {})) == ["a.py:1: one\nb.py:2: two", "raw row: 2, at most 1"]


def test_retired_words_have_a_ceiling_for_each_package() -> None:
    found = [
        Violation("retired word", "platform/interlace/search/fuse.py", 1, "one"),
        Violation("retired word", "platform/interlace/links/a.py", 1, "two"),
    ]
    assert list(over(found, {}, {"search": 1}))[1:] == ["retired word in links: 1, at most 0"]


def test_the_report_groups_by_rule_and_package() -> None:
    found = [Violation("raw row", "docs/a.md", 1, "one"), Violation("raw row", "README.md", 2, "two")]
    assert list(report(found)) == [
        "\nraw row: 2",
        "  README.md: 1",
        "    README.md:2: two",
        "  docs: 1",
        "    docs/a.md:1: one",
    ]


def test_generated_queries_are_read_where_wanted() -> None:
    paths = [each.path for each in read_sources()] + [each.path for each in read_texts()]
    assert len(paths) > 300
    assert not [path for path in paths if path.startswith("platform/interlace/queries/")]
    assert any(each.path.startswith("platform/interlace/queries/") for each in read_sources(generated=True))


def test_the_report_ends_with_the_lines_of_each_package() -> None:
    sources = [source("x = 1\n" * 2), source("x = 1\n" * 3, "platform/interlace/links/a.py"), source("y = 1\n")]
    assert list(lines_by_package(sources)) == ["\nlines by package", "  search: 3", "  links: 3"]
