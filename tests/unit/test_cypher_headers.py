"""What every Cypher file says of itself must be true; no server is needed for this."""

import re
from pathlib import Path

import pytest
from tests.support.queries import query_names

from interlace.cypher_files import cypher_root, files_root, parse_query
from interlace.ports.graph import Query

ROOT = cypher_root()
QUERIES = [ROOT / "queries" / f"{name}.cypher" for name in query_names()]
SAVED = sorted((ROOT / "browser" / "saved").rglob("*.cypher"))
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TYPES = re.compile(r"(STRING|INTEGER|FLOAT|BOOLEAN|BYTES|DATETIME|MAP|ANY|LIST<.+>)\??")

every_file = pytest.mark.parametrize("path", [*QUERIES, *SAVED], ids=lambda path: path.relative_to(ROOT).as_posix())


def _parsed(path: Path) -> Query:
    return parse_query(path.stem, path.read_text(encoding="utf-8"))


def test_there_are_files() -> None:
    assert QUERIES
    assert SAVED


@every_file
def test_declared_parameters_are_those_in_the_text(path: Path) -> None:
    query = _parsed(path)
    bound = {"groups"} if query.reader == "filtered" else set()
    assert set(query.params) | bound == set(re.findall(r"\$(\w+)", _LITERAL.sub("", query.text)))


@every_file
def test_parameter_types_are_those_of_cypher(path: Path) -> None:
    wrong = {name: kind for name, kind in _parsed(path).params.items() if not _TYPES.fullmatch(kind)}
    assert not wrong


@every_file
def test_an_excuse_has_a_reason(path: Path) -> None:
    excuse = re.search(r"^// allows: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert excuse is None or re.search(r"\w because \w", excuse[1])


@every_file
def test_a_read_is_for_one_tenant(path: Path) -> None:
    """Ids hold the tenant, which is enough for writes; what is read goes out to people."""
    query = _parsed(path)
    assert query.mode == "write" or "tenant" in query.params or "AnyTenant" in query.allows


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_read_says_who_may_run_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    query = _parsed(path)
    assert query.mode == "write" or "// reader: " in text or "// untyped: because " in text


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_what_is_filtered_looks_at_every_document_that_it_names(path: Path) -> None:
    """A document that a reader's query reaches has its groups compared, unless it was found by another that had."""
    query = _parsed(path)
    if query.reader == "filtered":
        assert re.search(r"\baccess IS NULL\b", query.text)


@pytest.mark.parametrize("reader", ["filtered because it is", "anyone", "operators because ", "readers because of it"])
def test_a_header_that_does_not_say_who_may_read_is_refused(reader: str) -> None:
    text = f"// Some\n// mode: read\n// reader: {reader}\n// returns: one INTEGER\nRETURN 1 AS one"
    with pytest.raises(ValueError, match="reader"):
        parse_query("some/query", text)


def test_a_query_that_says_nothing_is_for_operators_alone() -> None:
    assert (
        parse_query("some/query", "// Some\n// mode: read\n// returns: one INTEGER\nRETURN 1 AS one").reader
        == "operators"
    )


@every_file
def test_a_look_up_by_id_names_its_index(path: Path) -> None:
    """In an empty graph reading a whole index costs the planner as little as one look-up, and that plan stays while the graph fills."""
    text = re.sub(r"^\s*//[^\n]*\n", "", _parsed(path).text, flags=re.MULTILINE)
    matches = re.findall(
        r"\bMATCH\b(.*?)(?=\b(?:MATCH|WHERE|SET|WITH|RETURN|CALL|MERGE|CREATE|DELETE|UNION)\b|\Z)", text, re.DOTALL
    )
    wrong = [
        f"({name}:{label})"
        for match in matches
        for name, label in re.findall(r"\((\w+):(\w+)[:\w]* \{id: ", match)
        if f"USING INDEX SEEK {name}:{label}(id)" not in match
    ]
    assert not wrong


def test_a_filter_is_evaluated_where_it_stands_and_costs_nothing_where_there_is_none() -> None:
    text = "// Some\n// params: $filter MAP?\n// mode: read\n// returns: d ANY\nMATCH (d) WHERE $filter IS NULL OR [d, d, d] = $filter RETURN d"
    query = parse_query("some/query", text)
    assert "[d, d, d]" not in query.text
    assert "d[step.property]" in query.text
    assert "[d.sectionType]" in query.text
    assert "WHEN 'sectionType'" not in query.unfiltered
    assert query.text_for({"filter": None}) == query.unfiltered == "MATCH (d) WHERE $filter IS NULL OR true RETURN d"
    assert query.text_for({"filter": {"steps": [], "chunks": False}}) == query.text


def test_names_of_files_say_what_the_query_does() -> None:
    wrong = [path.name for path in [*QUERIES, *SAVED] if not re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*\.cypher", path.name)]
    assert not wrong


@pytest.mark.skipif(not (files_root() / "pyproject.toml").exists(), reason="the sources are not here")
def test_every_query_is_used() -> None:
    sources = [path for folder in ("platform", "workers") for path in (files_root() / folder).rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in sources if path.parent.name != "queries"]
    loaded = {name for text in texts for name in re.findall(r"\bquery\(\s*\"([^\"]+)\"\s*\)", text)}
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    assert [name for name in query_names() if name not in loaded and name.split("/")[1] not in words] == []


def test_collected_rows_come_as_one_record() -> None:
    header = "// Title\n// params: $ids LIST<STRING>\n// mode: read\n// returns: id STRING, more LIST<(STRING, {a STRING, b FLOAT})>\n"
    text = "UNWIND $ids AS id RETURN id, [] AS more"
    collected = parse_query("test/collected", f"{header}// rows: collected\n{text}")
    assert collected.text == text
    assert collected.text_for({}) == f"CALL () {{\n{text}\n}}\nRETURN collect([id, more]) AS rows"
    assert parse_query("test/many", header + text).text_for({}) == text


def test_columns_without_a_question_mark_are_required() -> None:
    header = "// Title\n// mode: read\n// returns: id STRING, file STRING?, more LIST<(STRING?, {a STRING?})>, map {a STRING}?\n"
    assert parse_query("test/columns", f"{header}RETURN 1").required == {"id", "more"}
    assert parse_query("test/none", "// Title\n// mode: write\n// returns: nothing\nCREATE (a)").required == set()
