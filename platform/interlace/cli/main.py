"""The command ``interlace``: gathers the commands of the other modules and turns errors into one line and an exit code."""

import importlib
import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from interlace import __version__
from interlace.cli.entry import INTERRUPTED
from interlace.cli.options.choices import CommandGroup
from interlace.cli.terminal import READER_LEFT, forget_output, tolerate_encodings, write_line
from interlace.domain.errors import InterlaceError, SettingsError, StackError

# Each module offers `register(app)`. Services are imported inside the commands, so that `interlace --help` stays fast.
MODULES = (
    "stack", "config", "ingest", "documents", "tenants", "jobs", "communities", "query", "answer", "atoms", "links",
    "cypher", "entities", "tools", "evaluate", "graph", "vectors", "backup", "export", "keys", "migrate", "browser",
    "serve", "mcp",
)  # fmt: skip


def _print_version(wanted: bool) -> None:
    if wanted:
        write_line(f"interlace {__version__}")
        raise typer.Exit


def build() -> typer.Typer:
    """Return the application with the commands of every module that is there."""
    application = typer.Typer(
        name="interlace",
        cls=CommandGroup,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    application.callback()(_options)
    for name in MODULES:
        module = f"{__package__}.commands.{name}"
        try:
            importlib.import_module(module).register(application)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
    return application


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Self-hosted knowledge platform: knowledge graph, vector index, explained answers."""


app = build()


def run(command: Callable[[], object] = app) -> None:
    """Run the command line, or another command, and exit: 0 on success, the error's own code on a known error, 130 on Ctrl-C."""
    tolerate_encodings()
    try:
        command()
    except InterlaceError as error:
        write_line(f"error: {error.message}", sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        forget_output()
        sys.exit(READER_LEFT)
    except OSError as error:
        sys.exit(_file_error(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _file_error(error: OSError) -> int:
    """Explain in one line what is the matter with a file of the user's or of the local stack, and return the exit code.

    Raises:
        OSError: the error is about no file, or one of the installation: a defect, whose traceback is needed.
    """
    from interlace.cypher_files import files_root
    from interlace.settings import load_settings

    if not isinstance(error.filename, str | bytes):
        raise error
    name = os.fsdecode(error.filename)
    file = Path(name).absolute()
    ours = (files_root() / "platform", files_root() / "workers", files_root() / "cypher", sysconfig.get_path("purelib"))
    if any(file.is_relative_to(folder) for folder in ours):
        raise error
    what = f"cannot be read or written: {error.strerror}."
    try:
        home = load_settings().stack.home.expanduser().absolute()
    except SettingsError:
        home = None
    if home and file.is_relative_to(home):
        write_line(
            f"error: {name}, a file of the local stack, {what} Check the permissions of {home} and its disk.",
            sys.stderr,
        )
        return StackError.exit_code
    write_line(f"error: {name} {what}", sys.stderr)
    return 1


if __name__ == "__main__":
    run()
