"""The command ``interlace``: gathers the commands of the other modules and turns errors into one line and an exit code."""

import importlib
import sys
from collections.abc import Callable

import typer

from interlace.domain.errors import InterlaceError

# Each module offers `register(app)`. Services are imported inside the commands, so that `interlace --help` stays fast.
MODULES = (
    "stack",
    "config",
    "ingest",
    "documents",
    "jobs",
    "communities",
    "query",
    "atoms",
    "links",
    "entities",
    "tools",
    "evaluate",
    "graph",
    "vectors",
    "backup",
    "export",
    "migrate",
    "browser",
    "serve",
)
_INTERRUPTED = 130


def build() -> typer.Typer:
    """Return the application with the commands of every module that is there."""
    application = typer.Typer(
        name="interlace",
        help="Self-hosted knowledge platform: knowledge graph, vector index, explained answers.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name in MODULES:
        module = f"{__package__}.{name}"
        try:
            importlib.import_module(module).register(application)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
    return application


app = build()


def run(command: Callable[[], object] = app) -> None:
    """Run the command line, or another command, and exit: 0 on success, the error's own code on a known error, 130 on Ctrl-C."""
    try:
        command()
    except InterlaceError as error:
        sys.stderr.write(f"error: {error.message}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    run()
