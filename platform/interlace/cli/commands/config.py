"""``interlace config check``: what the settings come to."""

import json
from collections.abc import Iterator
from typing import Any

import typer

from interlace.cli.output import JsonOption, print_json, print_table, settings_for
from interlace.settings import PREFIX, Group, Settings, masked


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    group = typer.Typer(help="The settings.", no_args_is_help=True)
    group.command()(check)
    # One command alone would be merged into its group: `interlace config` instead of `interlace config check`.
    group.callback()(_group)
    app.add_typer(group, name="config")


def check(as_json: JsonOption = False) -> None:
    """Check the settings and print the effective values, secrets masked. Exits with 78 if one is wrong."""
    from interlace_stack.connect import connect

    settings = settings_for()
    effective = connect(settings)
    if as_json:
        print_json(masked(effective))
    else:
        print_table(("variable", "value", "from"), _rows(settings, effective))


def _group() -> None:
    return None


def _rows(settings: Settings, effective: Settings) -> Iterator[tuple[str, Any, str]]:
    """Give each variable with its value and where that comes from."""
    shown = masked(effective)
    for name, value in shown.items():
        given, filled = getattr(settings, name), getattr(effective, name)
        if not isinstance(given, Group):
            yield (
                f"{PREFIX}{name.upper()}",
                _written(value),
                "environment" if name in settings.model_fields_set else "default",
            )
            continue
        for field, text in value.items():
            origin = _origin(getattr(given, field)) if field in given.model_fields_set else "default"
            if field in filled.model_fields_set - given.model_fields_set:
                origin = "local stack"
            yield f"{PREFIX}{name.upper()}__{field.upper()}", _written(text), origin


def _written(value: Any) -> Any:
    """Return a value as the variable would be set: numbers, lists and objects are JSON."""
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _origin(value: Any) -> str:
    """Return where a value that was set comes from: of a JSON object, what it names, and the rest is built in."""
    if isinstance(value, Group) and (kept := value.model_fields_set ^ type(value).model_fields.keys()):
        return f"environment, but {', '.join(name for name in type(value).model_fields if name in kept)}: default"
    return "environment"
