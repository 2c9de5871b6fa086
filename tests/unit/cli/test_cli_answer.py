"""How an explained answer is drawn for people."""

import io
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from tests.support.memory_services import MemoryQuestions
from typer.testing import CliRunner

from interlace.cli.main import app
from interlace.cli.views.answer import print_answer
from interlace.cli.views.marks import draw_path, highlighted, snippet
from interlace.domain.effort import Work, effort_report
from interlace.domain.errors import InvalidInputError
from interlace.domain.filters import Condition, Filter
from interlace.domain.hits import Hit, LegRank, LinkedChunk, PathStep, QueryRequest, QueryResponse, Ranked
from interlace.settings import load_settings

PATH = (
    PathStep("e1", "Polish-Russian War", "c9", "Polish-Russian War", "It was directed by Xawery Żuławski."),
    PathStep("e2", "Xawery Żuławski", "c9", "Polish-Russian War", "It was directed by Xawery Żuławski."),
    PathStep("e2", "Xawery Żuławski", "c1", "Małgorzata Braunek", "She was his mother."),
)
HIT = Hit(
    rank=1,
    score=0.0163,
    chunk_id="c1",
    document_id="d1",
    title="Małgorzata Braunek",
    source_uri="corpus.jsonl#4411",
    section="Life",
    text="She was the mother of the director of Polish-Russian War. [bold]No markup[/bold].",
    start=0,
    end=80,
    tags=(),
    metadata={},
    legs=(LegRank("keyword", 14, 7.2, 0.3, 0.0041), LegRank("graph", 1, 0.04, 0.25, 0.0122)),
    path=PATH,
    boosts={"proximity": 1.5},
    cypher="MATCH (c:Chunk {id: 'c1'}) RETURN c",
)
RESPONSE = QueryResponse(
    query="Who is the mother of the director of Polish-Russian War?",
    hits=(HIT,),
    intent={},
    weights={},
    entities={"Polish-Russian War": 6.91},
    retrieval_mode="graph_only",
    retrieval_path=("graph", "keyword"),
    retrieval_reason="The graph knows the names.",
    degraded=("vector",),
    timings={"graph": 13.0, "total": 15.0},
    effort={},
    rankings={"graph": (Ranked("c1", "d1", "corpus.jsonl#4411", 0.04),)},
)


def drawn(response: QueryResponse, width: int = 100, *, explain: bool = True, terminal: bool = True) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=terminal, color_system=None)
    print_answer(console, response, "acme", explain=explain)
    return out.getvalue()


def test_an_answer_says_everything_within_its_width() -> None:
    text = drawn(RESPONSE)
    assert max(map(len, text.splitlines())) <= 100
    for part in (
        "graph_only via graph + keyword",
        "The graph knows the names.",
        "Polish-Russian War 6.91",
        "degraded: vector",
        "corpus.jsonl#4411 > Life",
        "#14",
        "+0.0122",
        "+1.50",
        "[bold]No markup[/bold]",
        HIT.cypher,
        "15 ms (graph 13)",
        "graph (1)",
    ):
        assert part in text, part
    assert text.index("+0.0122") < text.index("+0.0041"), "the leg that gave most comes first"


def test_an_answer_says_how_much_work_it_took() -> None:
    assert "Λ" not in drawn(RESPONSE)
    text = drawn(replace(RESPONSE, effort=effort_report(Work(legs=2, hops=3, candidates=1200), mentions=7)))
    assert "15 ms (graph 13) · Λ 13.9 (2 legs, 3 hops, 1,200 candidates)" in text


def test_an_explained_answer_shows_what_moved_each_hit_and_the_path_to_it() -> None:
    figures = {"rrf": 0.0163, "pagerank": 0.0412, "similarity": 0.731, "nearness": 0.5}
    other = LinkedChunk("c9", "d9", "Warsaw")
    lines = drawn(replace(RESPONSE, hits=(replace(HIT, figures=figures, linked_with=other),))).splitlines()
    cells = [line.split() for line in lines]
    assert ["leg:", "graph", "1", "0.04", "0.25", "+0.01220"] in cells
    assert ["leg:", "keyword", "14", "7.2", "0.3", "+0.00410"] in cells
    assert ["PageRank:", "probability", "0.0412"] in cells
    assert ["similarity:", "cosine", "0.731"] in cells
    assert ["link:", "nearness", "0.5"] in cells
    assert ["term:", "proximity,", "linked", "with", "Warsaw", "+1.500"] in cells
    way = [line.rstrip() for line in lines[lines.index(next(line for line in lines if "path to hit 1" in line)) :]]
    assert way[:4] == [
        "Polish-Russian War  path to hit 1",
        '└── Polish-Russian War: "It was directed by Xawery Żuławski."',
        "    └── Xawery Żuławski",
        '        └── ▶ Małgorzata Braunek: "She was his mother."',
    ]


def test_an_answer_is_first_the_sentence_its_source_and_why() -> None:
    hit = replace(HIT, sentence="She was the mother of the director of Polish-Russian War.")
    other = replace(hit, rank=2, path=PATH[:1], sentence="Second.")
    text = drawn(replace(RESPONSE, hits=(hit, other)), explain=False)
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines == [
        "",
        "Who is the mother of the director of Polish-Russian War?",
        "degraded: vector (failed, late or limited)",
        "",
        " 1  She was the mother of the director of Polish-Russian War.",
        "    Małgorzata Braunek · corpus.jsonl#4411 > Life",
        '    Polish-Russian War ─(Polish-Russian War: "It was directed by Xawery Żuławski.")─ Xawery Żuławski',
        "    ─▶ here",
        "",
        " 2  Second.",
        "    Małgorzata Braunek · corpus.jsonl#4411 > Life",
        "    names Polish-Russian War · found by graph (#1), keyword (#14)",
        "",
        "2 hits in 15 ms. --explain shows the figures behind their order.",
    ]


def test_a_brief_answer_in_a_pipe_has_one_line_a_thing() -> None:
    hit = replace(HIT, sentence="word " * 50)
    assert len(drawn(replace(RESPONSE, hits=(hit,)), width=10_000, explain=False, terminal=False).splitlines()) == 9


def test_an_explained_answer_in_a_pipe_is_no_wider_than_its_text_and_names_addresses() -> None:
    hit = replace(HIT, browser_url="http://127.0.0.1:7474/browser/?cmd=edit")
    rankings = {**RESPONSE.rankings, "tags": ()}
    lines = drawn(replace(RESPONSE, hits=(hit,), rankings=rankings), width=10_000, terminal=False).splitlines()
    assert max(map(len, lines)) < 300
    assert hit.browser_url in [line.strip() for line in lines]
    assert "tags (0)" in [line.strip() for line in lines]


def test_a_hit_that_only_a_filter_found_says_so() -> None:
    text = drawn(replace(RESPONSE, query="", hits=(replace(HIT, legs=(), path=()),), degraded=()), explain=False)
    lines = [line.strip() for line in text.splitlines()]
    assert lines[:2] == ["", ""]
    assert lines[2].startswith("1  She was")
    assert "found by the filter" in lines
    assert lines[-1] == "1 hit in 15 ms. --explain shows the figures behind their order."


@pytest.mark.parametrize("explain", [True, False])
def test_an_answer_without_hits_says_so_and_how_to_go_on_in_the_tenant(explain: bool) -> None:
    text = drawn(replace(RESPONSE, hits=(), rankings={}), explain=explain)
    assert "Nothing was found. `interlace documents list --tenant acme` shows" in text


def test_a_path_is_drawn_name_by_name_to_the_chunk() -> None:
    assert draw_path(PATH).plain == (
        'Polish-Russian War ─(Polish-Russian War: "It was directed by Xawery Żuławski.")─ Xawery Żuławski ─▶ here'
    )
    assert draw_path(PATH[:1]).plain == "Polish-Russian War ─▶ here"


def test_names_are_marked_whatever_their_case_and_whole() -> None:
    shown = highlighted("Ada and ADA, not Adam; a.b", ["ada", "a.b"])
    assert [(span.start, span.end) for span in shown.spans] == [(0, 3), (8, 11), (23, 26)]
    assert highlighted("Ada", []).spans == []


def test_a_long_chunk_is_cut_around_the_first_name() -> None:
    text = "before " * 100 + "Ada Lovelace " + "after " * 100
    cut = snippet(text, ["Ada Lovelace"], 100)
    assert "Ada Lovelace" in cut
    assert cut.startswith("… before")
    assert cut.endswith("after …")
    assert len(cut) <= 104
    assert snippet("short\n text", []) == "short text"
    japanese = snippet("海" * 200 + "広島" + "空" * 200, ["広島"], 100)
    assert "広島" not in japanese, "names are whole words"
    assert len(japanese) <= 100
    address = snippet("https://example.com/" + "a/" * 200 + " Ada", ["Ada"], 100)
    assert address.endswith("/ Ada")
    assert len(address) <= 102


def test_the_command_asks_and_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = MemoryQuestions(RESPONSE)
    graph = SimpleNamespace(run=lambda *_, **__: [{"known": True}])
    made: Any = SimpleNamespace(
        graph=graph, settings=load_settings(tenant="acme"), questions=questions, close=lambda: None
    )
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: made)
    runner = CliRunner()
    words = ["query", " Who? ", "--leg", "graph", "--leg", "tags", "--mode", "hybrid", "--limit", "3", "--json"]
    words += ["--without", "titles", "--without", "vector"]
    result = runner.invoke(app, words)
    assert json.loads(result.stdout)["hits"][0]["path"][2]["entity_name"] == "Xawery Żuławski"
    assert questions.asked == [
        ("acme", QueryRequest("Who?", "hybrid", 3, legs=("graph", "tags"), without=frozenset({"titles", "vector"})))
    ]
    for option, word in (("--mode", "magic"), ("--tags", "nearly")):
        refused = runner.invoke(app, ["query", "x", option, word])
        assert refused.exit_code == InvalidInputError.exit_code
        assert f"'{word}' is not one of" in refused.stderr
    assert runner.invoke(app, ["query", "x", "--limit", "101"]).exit_code == InvalidInputError.exit_code
    for bad in (["--leg", "nose"], ["--without", "gravity"]):
        assert isinstance(runner.invoke(app, ["query", "x", *bad]).exception, InvalidInputError)
    assert isinstance(runner.invoke(app, ["query", " "]).exception, InvalidInputError)
    questions.asked.clear()
    words = ["query", "x", "--filter", "tags = a", "--filter", "metadata.n > 1", "--tags", "exact", "--paths", "fuzzy"]
    assert runner.invoke(app, [*words, "--json"]).exit_code == 0
    ((_, request),) = questions.asked
    both = (Filter(must=(Condition("tags", "eq", "a"),)), Filter(must=(Condition("metadata.n", "gt", 1),)))
    assert (request.where, request.tag_strategy, request.path_strategies) == (Filter(must=both), "exact", ("fuzzy",))
    for bad in (["--filter", "tags ="], ["--paths", "wild"]):
        assert isinstance(runner.invoke(app, ["query", "x", *bad]).exception, InvalidInputError)
