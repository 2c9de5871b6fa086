"""How a cited answer is printed."""

import io
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from tests.support.answers import FERRY, TWO_HOPS, VENNING, hit, response
from typer.testing import CliRunner

from interlace.answers.service import AnswerService
from interlace.cli.main import app
from interlace.cli.views.footnotes import print_footnotes, print_sentence
from interlace.domain.answers import TOKEN_BUDGET, AnswerRequest, Generation
from interlace.domain.hits import Hit, QueryRequest
from interlace.settings import load_settings


def service(*hits: Hit) -> AnswerService:
    return AnswerService(lambda _, request: response(request.text, *hits))


def run(monkeypatch: pytest.MonkeyPatch, *words: str, hits: tuple[Hit, ...] = (FERRY, VENNING)) -> Any:
    graph = SimpleNamespace(run=lambda *_, **__: [{"known": True}])
    platform = SimpleNamespace(graph=graph, settings=load_settings(), answers=service(*hits), close=lambda: None)
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: platform)
    return CliRunner().invoke(app, ["answer", *words])


def test_sentences_have_footnotes_with_source_and_quote(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run(monkeypatch, TWO_HOPS, "--sentences", "2").output
    assert "It was directed by Orla Venning. [1]" in shown
    assert "[1] The Grey Ferry  notes/The Grey Ferry.md" in shown
    assert "“She was born in Aalborg and married Knud Strand.”" in shown
    assert "0 tokens" in shown
    assert all(line == line.rstrip() for line in shown.splitlines()), (
        "a pipe is very wide: nothing is padded to its width"
    )


def test_an_abstention_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run(monkeypatch, "Who owns it?", hits=())
    assert shown.exit_code == 0
    assert "No answer. No document was found" in shown.output
    assert "`interlace query`;" in shown.output


def test_an_abstention_says_how_to_go_on_in_its_tenant() -> None:
    file = io.StringIO()
    print_footnotes(Console(file=file, width=100), service().answer("t", AnswerRequest(QueryRequest("Who?"))), "acme")
    assert "`interlace query --tenant acme`;" in file.getvalue()


def test_a_spent_budget_is_said_in_a_sentence() -> None:
    answer = service(FERRY, VENNING).answer("t", AnswerRequest(QueryRequest(TWO_HOPS)))
    refused = replace(answer, degraded=(TOKEN_BUDGET,), generation=Generation("openai/any", 0, refused="It is spent."))
    file = io.StringIO()
    print_footnotes(Console(file=file, width=100), refused, "default")
    assert "It is spent." in file.getvalue()
    assert "degraded" not in file.getvalue()


def test_why_the_language_model_failed_is_said_in_a_sentence() -> None:
    answer = service(FERRY, VENNING).answer("t", AnswerRequest(QueryRequest(TWO_HOPS)))
    without = replace(
        answer, degraded=("language_model",), generation=Generation("any", 0, failed="It has no provider.")
    )
    file = io.StringIO()
    print_footnotes(Console(file=file, width=100), without, "default")
    assert "degraded: language_model (failed, late or limited)\nIt has no provider.\n" in file.getvalue()


def test_json_is_the_whole_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = json.loads(run(monkeypatch, TWO_HOPS, "--json").output)
    assert shown["citations"][0]["quote"] == shown["sentences"][0]["text"]
    assert shown["sufficiency"]["probability"] > 0


def test_documents_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    evil = hit(1, "Bank\x1b]0;owned\x07", "The bank was founded by Ada\x1b[2J\u202e Holm in 1871.")
    for words in ((), ("--json",)):
        shown = run(monkeypatch, "Who founded the bank?", "--insist", *words, hits=(evil,)).output
        assert "founded by Ada" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_brackets_in_documents_are_no_markup() -> None:
    answer = service(hit(1, "Bank", "The [bold]bank[/bold] was founded by Ada.")).answer(
        "t", AnswerRequest(QueryRequest("Who founded the bank?"), insist=True)
    )
    file = io.StringIO()
    console = Console(file=file, width=100)
    print_sentence(console, answer.sentences[0])
    print_footnotes(console, answer, "default")
    assert "The [bold]bank[/bold] was founded by Ada. [1]" in file.getvalue()
