"""``interlace documents enrich`` and ``pending``: what waits for a language model and why, and how people steer it."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from interlace.cli.main import app
from interlace.enrichment.overview import Enrichment, EnrichReceipt, Usage, Waiting, WaitingTexts
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
    return run(monkeypatch, SimpleNamespace(state=lambda _: state), "pending", *words)


def run(monkeypatch: pytest.MonkeyPatch, enrichment: SimpleNamespace, *words: str) -> str:
    platform = SimpleNamespace(
        settings=load_settings(),
        graph=SimpleNamespace(run=lambda *_, **__: [{"known": True}]),
        enrichment=enrichment,
        close=lambda: None,
    )
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: platform)
    result = CliRunner().invoke(app, ["documents", *words])
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


def test_enriching_says_what_waits_now_and_can_be_paused_and_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    control = SimpleNamespace(
        enrich=lambda _: EnrichReceipt("j1", documents=2, chunks=5),
        pause=lambda _: replace(NOTHING, paused=True),
        resume=lambda _: NOTHING,
    )
    shown = run(monkeypatch, control, "enrich")
    assert "5 chunks of 2 documents wait for the model. `interlace jobs show j1 --follow` watches" in shown
    assert json.loads(run(monkeypatch, control, "enrich", "--json"))["job_id"] == "j1"
    assert ", paused: `interlace documents enrich --resume` goes on" in run(monkeypatch, control, "enrich", "--pause")
    assert "paused" not in run(monkeypatch, control, "enrich", "--resume")
