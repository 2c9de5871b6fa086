"""Writes the pages that are made of the code: ``docs/settings.md`` from the settings, ``docs/errors.md`` from the errors.

``make docs`` runs it; a test compares the pages with what it would write.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interlace.api.problems import KINDS
from interlace.domain import errors
from interlace.domain.validation import DESCRIPTIONS
from interlace.settings import PREFIX, Group, Settings

DOCS = Path(__file__).parents[2] / "docs"
BOUNDS = (("minimum", "≥ {}"), ("exclusiveMinimum", "> {}"), ("maximum", "≤ {}"), ("exclusiveMaximum", "< {}"))
KINDS_OF_VALUES = {"boolean": "`true` or `false`", "array": "a JSON list", "object": "a JSON object"}
ENDINGS = (
    (0, "success"),
    (1, "completed, but a document, a check or a server failed; the sentence says which"),
    (2, "an invalid argument or value"),
    (3, "`interlace status`: not every process is running"),
    (130, "Ctrl-C"),
    (141, "the reader of the output has left, as in `interlace … | head`"),
)

SETTINGS_HEAD = """\
---
title: Settings
tags: [reference, operations]
---

# Settings

Made by `make docs` from `platform/interlace/settings.py`; do not edit.

Every setting is an environment variable. Unknown names and values out of range are refused with the variable's name and
what is allowed. `interlace config check` prints the effective values, where each comes from, and masks secrets. Unset ports, passwords and
the folder of the model are taken from the running local stack. How they are used: [operations](operations.md).

| variable | default | allowed | meaning |
| --- | --- | --- | --- |
"""

ERRORS_HEAD = """\
---
title: Errors and exit codes
tags: [reference, http]
---

# Errors and exit codes

Made by `make docs` from the code; do not edit.

Every expected failure is a sentence that names the thing, the value and the remedy. The HTTP API sends it as `application/problem+json`
(RFC 9457); its `type` is the address `/problems/CODE`, which describes the kind. The command line writes `error: SENTENCE` on standard
error. See the [query API](query-api.md) and [ingesting documents](ingest-documents.md).
"""

ERRORS_TAIL = """\

## Why a document was quarantined

`interlace documents quarantined` and `GET /v1/jobs/{id}` give one of these reasons, with a sentence.

| reason | meaning |
| --- | --- |
| `empty` | it is empty, or has no text |
| `encoding` | its encoding is unknown, or its bytes are not valid in it |
| `unknown-type` | no parser reads this type of file |
| `broken` | the file is damaged |
| `too-large` | more bytes than `INTERLACE_INGEST__MAX_BYTES` |
| `limit` | it exceeded a limit on time, memory, depth or count |
| `unreadable` | the file cannot be opened |
| `changed` | it changed while it was being read |
| `duplicate` | two sources have the same name |
| `link` | a symbolic link that is broken, circular, or leads out of the folder |
| `not-allowed` | the settings do not allow fetching from its address, or from the one that it redirects to |
| `unreachable` | its address did not answer, answered too late, or answered without a document |
| `access` | it says who may read it in a way that is not understood ([access](access.md)) |
| `crash` | its worker died in each of `INTERLACE_INGEST__MAX_ATTEMPTS` attempts |
| `failed` | every attempt failed; the sentence is from the last one |
"""


def settings_page() -> str:
    """Return the page of all settings, in the order of the model."""
    return SETTINGS_HEAD + "".join(f"| {' | '.join(row)} |\n" for row in _settings_rows())


def _settings_rows() -> Iterator[tuple[str, str, str, str]]:
    schema = Settings.model_json_schema()
    for name, field in Settings.model_fields.items():
        group = field.annotation
        if not (isinstance(group, type) and issubclass(group, Group)):
            yield _row(PREFIX + name.upper(), schema["properties"][name])
            continue
        for variable, described in schema["$defs"][group.__name__]["properties"].items():
            kind = group.model_fields[variable].annotation
            if isinstance(kind, type) and issubclass(kind, Group):
                described |= {**schema["$defs"][kind.__name__], "description": described["description"]}
                described["default"] = kind().model_dump(mode="json")
            yield _row(f"{PREFIX}{name.upper()}__{variable.upper()}", described)


def _row(variable: str, described: dict[str, Any]) -> tuple[str, str, str, str]:
    return (
        f"`{variable}`",
        _default(variable, described),
        _allowed(described),
        described["description"].replace("|", "\\|"),
    )


def _default(variable: str, described: dict[str, Any]) -> str:
    if variable.endswith("STACK__HOME"):
        return "`~/.local/share/interlace`"
    value = described.get("default")
    if value in (None, "", []) or set(str(value)) == {"*"}:
        return ""
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _allowed(described: dict[str, Any]) -> str:
    if properties := described.get("properties"):
        named: defaultdict[str, list[str]] = defaultdict(list)
        for name, part in properties.items():
            named[_allowed(part)].append(f"`{name}`")
        return "a JSON object: " + "; ".join(f"{', '.join(names)} {allowed}" for allowed, names in named.items())
    if "enum" in described:
        return ", ".join(f"`{value}`" for value in described["enum"])
    for part in (described, *described.get("anyOf", ())):
        bounds = [text.format(part[name]) for name, text in BOUNDS if name in part]
        if bounds:
            return " and ".join(bounds)
        if "pattern" in part:
            return DESCRIPTIONS[part["pattern"]]
    return KINDS_OF_VALUES.get(described.get("type", ""), "")


def errors_page() -> str:
    """Return the page of all error codes, exit codes and quarantine reasons."""
    by_code = {error.code: error.exit_code for error in _errors(errors.InterlaceError) if "exit_code" in vars(error)}
    parts = [ERRORS_HEAD, "\n## HTTP\n\n| code | status | meaning | remedy |\n| --- | --- | --- | --- |\n"]
    parts += [f"| `{code}` | {kind.status} | {kind.title} | {kind.remedy} |\n" for code, kind in sorted(KINDS.items())]
    parts.append("\n## Command line\n\n| exit code | meaning |\n| --- | --- |\n")
    endings = dict(ENDINGS)
    for number in sorted(set(by_code.values()) - endings.keys()):
        endings[number] = ", ".join(f"`{code}`" for code, exit_code in sorted(by_code.items()) if exit_code == number)
    parts += [f"| {number} | {meaning} |\n" for number, meaning in sorted(endings.items())]
    return "".join(parts) + ERRORS_TAIL


def _errors(base: type[errors.InterlaceError]) -> Iterator[type[errors.InterlaceError]]:
    yield base
    for error in base.__subclasses__():
        yield from _errors(error)


PAGES = {"settings.md": settings_page, "errors.md": errors_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
