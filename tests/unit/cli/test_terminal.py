"""What reaches terminals, pipes and files, whatever documents hold and whoever reads."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer.testing import CliRunner

from interlace import __version__
from interlace.cli.main import app
from interlace.cli.output import print_json, print_table, say
from interlace.cli.terminal import console, escaped_controls, printable

# Clear the screen, set the title of the window, turn red in one byte (C1), reverse the direction of writing, return to the line's start.
HOSTILE = "a\x1b[2Jb\x1b]0;owned\x07c\x9b31md\u202ee\rf"
TO_ASCII = """
from interlace.cli.main import run
from interlace.cli.terminal import write_line
run(lambda: write_line("Tromsø ─▶"))
"""
HARMLESS = "a[2Jb]0;ownedc31mdef"


def commands(text: str) -> set[str]:
    """Return the characters of a text that command a terminal."""
    return {character for character in text if not character.isprintable() and character != "\n"}


def test_text_of_documents_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("title",), [(HOSTILE,)])
    say(HOSTILE)
    print_json({"title": HOSTILE})
    made = console()
    made.print(Text(HOSTILE))
    table = Table()
    table.add_column(HOSTILE)
    made.print(table)
    caught = capsys.readouterr()
    assert commands(caught.out) == commands(caught.err) == set()
    assert HARMLESS in caught.out
    assert caught.err == f"{HARMLESS}\n"


def test_json_keeps_its_value() -> None:
    text = json.dumps({"title": HOSTILE}, ensure_ascii=False)
    assert json.loads(escaped_controls(text)) == {"title": HOSTILE}
    assert commands(escaped_controls(text)) == set()


def test_colours_of_our_own_stay() -> None:
    out = io.StringIO()
    made = Console(file=out, force_terminal=True, width=40)
    made._render_hooks = console()._render_hooks
    made.print(Text(HOSTILE, style="red"))
    assert out.getvalue() == f"\x1b[31m{HARMLESS}\x1b[0m\n"
    assert printable("tab\tand\nline") == "tab\tand\nline"


def test_a_pipe_gets_one_line_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("title", "source"), [("word " * 100, "two\nlines"), ("b", "c")])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "two lines" in lines[1]


def test_where_an_id_leaves_no_width_a_row_is_a_block(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    columns, rows = ("id", *"abcdef"), [("8" * 36, "confidence", "", *"defg"), ("9" * 36, *"abcdef")]
    monkeypatch.setenv("FORCE_COLOR", "1")
    for width, lines in ((80, 15), (200, 3)):
        monkeypatch.setenv("COLUMNS", str(width))
        print_table(columns, rows)
        shown = capsys.readouterr().out
        assert (len(shown.splitlines()), "confidence" in shown) == (lines, True)


def interlace(*words: str, **variables: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONIOENCODING": "", "PYTHONUTF8": "0", **variables}
    command = [sys.executable, "-m", "interlace.cli.main", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(
        "import sys\nfrom interlace.cli.main import run\nfrom interlace.cli.terminal import write_line\n"
        "def command():\n    for number in range(100_000):\n        write_line(f'line {number}')\n"
        "run(command)\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "reader.py")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == b"line 0\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(240) == 141


def test_a_reader_of_a_table_that_leaves_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(
        "import typer\nfrom interlace.cli.options.choices import CommandGroup\nfrom interlace.cli.main import run\n"
        "from interlace.cli.output import print_table\n"
        "app = typer.Typer(cls=CommandGroup)\n"
        "@app.command()\ndef table():\n    while True:\n        print_table(('number',), [(1,)])\n"
        "@app.command()\ndef other():\n    pass\n"
        "run(app)\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "reader.py"), "table"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline().split() == [b"number"]
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(240) == 141


def test_an_ascii_stdout_is_no_error() -> None:
    process = interlace("query", "--help", LC_ALL="C", LANG="C", PYTHONCOERCECLOCALE="0")
    out, err = process.communicate(timeout=240)
    assert (process.returncode, err) == (0, b"")
    assert b"question" in out
    made = subprocess.run(
        [sys.executable, "-c", TO_ASCII],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert made.stdout == b"Troms? ??\n"


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"interlace {__version__}\n")
