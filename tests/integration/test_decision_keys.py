"""Pairs of entities are decided by keys in a terminal; scripts read them as JSON."""

import json
import os
import pty
import subprocess
import sys
import termios
import time

import pytest
from tests.e2e.command_line import command_line, stack_environment
from tests.integration.ingestion_world import World

from interlace.entities import candidates
from interlace.entities.candidates import Candidates, MergeCandidate
from interlace.entities.decision_records import history
from interlace.settings import Settings

DOCUMENTS = {
    "a.md": "# Notes\n\nJonathan Miller met Ada Lovelace in Vienna. Margaret Hamilton met Dorothy Vaughan in Oslo.\n",
    "b.md": "# More\n\nJonathan Millers met Grace Hopper in Vienna. Margret Hamilton met Dorothy Vaughn in Rome.\n",
}
QUESTION = b"same entity?"
SECONDS = 120


def names(pair: MergeCandidate) -> set[str]:
    return {pair.one.name, pair.other.name}


def press(keys: str, settings: Settings, tenant: str, *words: str) -> str:
    """Run a command in a terminal of its own, press each key when it is asked for one, and return what the terminal shows."""
    terminal, end = pty.openpty()
    program = [sys.executable, "-m", "interlace.cli.main", *words]
    process = subprocess.Popen(
        program, env=stack_environment(settings, tenant), stdin=end, stdout=end, stderr=end, start_new_session=True
    )
    shown, deadline = b"", time.monotonic() + SECONDS
    os.set_blocking(terminal, False)
    waiting = list(keys)
    try:
        while process.poll() is None:
            assert time.monotonic() < deadline, shown
            shown += _read(terminal)
            asked = shown.count(QUESTION) > len(keys) - len(waiting)
            # What is typed before the program takes single keys is thrown away.
            if waiting and asked and not termios.tcgetattr(end)[3] & termios.ICANON:
                os.write(terminal, waiting.pop(0).encode())
            time.sleep(0.01)
        shown += _read(terminal)
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
        os.close(end)
    assert (process.returncode, waiting) == (0, []), shown
    return shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except BlockingIOError:
        return b""


def test_keys_decide_skip_and_undo(world: World, tenant: str, stack: Settings) -> None:
    world.ingest(tenant, DOCUMENTS)
    first, second, third, *_ = Candidates(world.platform.graph, tenant).queue(limit=50).candidates
    shown = press("unuxsyq", stack, tenant, "entities", "candidates", "--limit", "50", "--by", "Ada")
    assert "nothing has been decided yet" in shown
    assert "The last decision is undone; here is its pair again." in shown
    assert all(name in shown for pair in (first, second, third) for name in names(pair))
    same, undone = history(world.platform.graph, tenant)
    assert (same.decision.kind, same.decision.author.name, same.undone_at) == ("same", "Ada", "")
    assert (undone.decision.kind, bool(undone.undone_at)) == ("different", True)
    assert same.decision.seen, "what the person saw is kept"
    # One entity is no pair any more; what was undone or skipped is offered again.
    printed = json.loads(command_line(stack, tenant)("entities", "candidates", "--limit", "50", "--json"))
    offered = [{pair["one"]["name"], pair["other"]["name"]} for pair in printed["candidates"]]
    assert names(first) in offered
    assert names(second) not in offered
    assert names(third) in offered
    assert all(pair["signals"] and pair["one"]["sentences"] for pair in printed["candidates"])
    assert len(history(world.platform.graph, tenant)) == len([same, undone]), "scripts are asked nothing"


def test_q_leaves_the_rest_undecided(world: World, tenant: str, stack: Settings) -> None:
    world.ingest(tenant, DOCUMENTS)
    before = Candidates(world.platform.graph, tenant).queue(limit=50)
    shown = press("q", stack, tenant, "entities", "candidates")
    assert shown.count(QUESTION.decode()) == 1
    assert history(world.platform.graph, tenant) == []
    assert Candidates(world.platform.graph, tenant).queue(limit=50) == before


def test_a_page_has_the_pairs_that_were_asked_for_however_few_entities_have_one(
    world: World, tenant: str, stack: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.ingest(tenant, DOCUMENTS)
    queue = Candidates(world.platform.graph, tenant).queue(limit=50).candidates
    assert len(queue) > 1
    monkeypatch.setattr(candidates, "_PAGE", 1)
    monkeypatch.setattr(candidates, "_MAX_PAGES", 100)
    assert Candidates(world.platform.graph, tenant).queue(limit=50).candidates == queue
    one = queue[0].one
    shown = [
        json.loads(command_line(stack, tenant)("entities", "candidates", each, "--json")) for each in (one.id, one.name)
    ]
    assert shown[0] == shown[1]
    assert shown[0]["candidates"]


def test_a_decision_about_what_is_not_there_says_so(world: World, tenant: str, stack: Settings) -> None:
    world.ingest(tenant, DOCUMENTS)
    run = command_line(stack, tenant)
    said = run("entities", "merge", "Ada Lovelace", "Ida Lovelace", errors=True)
    assert ("no entity Ida Lovelace yet" in said, "no entity Ada" in said) == (True, False)
    said = run(
        "entities", "split", "Vienna", "Vienna (Virginia)", "--document", "a.md", "--document", "c.md", errors=True
    )
    assert ("no document c.md yet" in said, "no document a.md" in said, "no entity" in said) == (True, False, False)
