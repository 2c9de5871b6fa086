"""The command line in a process of its own, as its users run it."""

import os
import subprocess
import sys
from collections.abc import Callable

from interlace.settings import Settings

SECONDS = 240


def stack_environment(settings: Settings, tenant: str, **variables: str) -> dict[str, str]:
    """Return the environment of a command that is to use a stack; ``variables`` are further ones."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTERLACE_")}
    return environment | {
        "INTERLACE_STACK__HOME": str(settings.stack.home),
        "INTERLACE_STACK__NAME": settings.stack.name,
        "INTERLACE_EMBEDDING__ENABLED": str(settings.embedding.enabled).lower(),
        "INTERLACE_QUERY__LEG_TIMEOUT": str(settings.query.leg_timeout),
        "INTERLACE_TENANT": tenant,
        **variables,
    }


def command_line(settings: Settings, tenant: str, **variables: str) -> Callable[..., str]:
    """Return what runs ``interlace`` against a stack.

    Args:
        settings: the stack's.
        tenant: whose documents.
        variables: further variables of its environment.

    Returns:
        A function of words and the exit code to expect; it returns standard output, or with ``errors`` standard error.
    """
    environment = stack_environment(settings, tenant, **variables)

    def run(*words: object, code: int = 0, errors: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "interlace.cli.main", *map(str, words)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr if errors else done.stdout

    return run
