"""``interlace documents pending``: what waits for a language model, and why."""

import json
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from interlace.cli.main import app
from interlace.enrichment.overview import Enrichment, Usage, Waiting, WaitingTexts
from interlace.settings import load_settings

REASON = "The provider does not answer."
NOTHING = Enrichment("openai/m", paused=False, documents=0, chunks=0, waiting=(), summaries=None, usage=())
WAITING = Enrichment(
    "openai/m",
    paused=True,
    documents=2,
    chunks=5,
    waiting=(Waiting(REASON, 2, 5, 61.0),),
    summaries=WaitingTexts("The day's budget is spent.", 12, 3600.0),
    usage=(Usage("2026-03-01", "openai/m", 48_000, 0.03, 120),),
)


def pending(monkeypatch: pytest.MonkeyPatch, state: Enrichment, *words: str) -> str:
    platform = SimpleNamespace(
        settings=load_settings(),
        graph=SimpleNamespace(run=lambda *_, **__: [{"known": True}]),
        enrichment=SimpleNamespace(state=lambda _: state),
        close=lambda: None,
    )
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: platform)
    result = CliRunner().invoke(app, ["documents", "pending", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_documents_and_summaries_are_shown_with_the_reason_why_they_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = pending(monkeypatch, WAITING)
    assert "paused: `interlace documents enrich --resume` goes on" in shown
    assert "5 chunks wait in 2 documents." in shown
    rows = [" ".join(line.split()) for line in shown.splitlines()]
    assert f"2 5 0:01:01 {REASON}" in rows
    assert "12 1:00:00 The day's budget is spent." in rows
    assert "2026-03-01 openai/m 48,000 0.0300 120" in rows


def test_summaries_that_no_pass_has_begun_are_taken_up_next(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "summaries" not in pending(monkeypatch, NOTHING)
    begun = Enrichment(
        "", paused=False, documents=0, chunks=0, waiting=(), summaries=WaitingTexts("", None, 0), usage=()
    )
    assert "all 0:00:00 taken up next, or being written" in " ".join(pending(monkeypatch, begun).split())
    assert json.loads(pending(monkeypatch, begun, "--json"))["summaries"] == {"reason": "", "left": None, "due": 0}
