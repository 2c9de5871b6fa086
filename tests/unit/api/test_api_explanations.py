"""What was refused is explained in words: which values there are, which of them is meant, and what a name may be."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from interlace.access.keys import Grant
from interlace.cli import main
from interlace.cli.options.choices import choices
from interlace.domain.errors import InvalidInputError, SettingsError
from interlace.domain.hits import LEGS
from interlace.domain.reader import group_names
from interlace.domain.validation import TENANT, explained
from interlace.settings import Settings, load_settings

AssertProblem = Callable[..., dict[str, Any]]


def test_every_pattern_of_a_setting_or_a_field_has_words(client: TestClient) -> None:
    described = [client.get("/openapi.json").json(), Settings.model_json_schema()]
    patterns = set(_patterns(described))
    assert TENANT.pattern in patterns
    for pattern in patterns:
        message = explained({"type": "string_pattern_mismatch", "msg": "", "ctx": {"pattern": pattern}})
        assert pattern not in message


def _patterns(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _patterns(each)


def test_problems_explain_names_choices_and_numbers(client: TestClient, assert_problem: AssertProblem) -> None:
    refused = assert_problem(
        client.get("/v1/documents", headers={"X-Interlace-Tenant": "Bad Name"}), 422, "invalid-input"
    )
    assert refused["detail"] == f"x-interlace-tenant: must be {TENANT.description}."
    body = {"query": "x", "mode": "hybird", "limit": "abc", "filter": {}}
    refused = assert_problem(client.post("/v1/query", json=body), 422, "invalid-input")
    messages = {error["field"]: error["message"] for error in refused["errors"]}
    assert messages["mode"].endswith("or 'metadata_only'; did you mean 'hybrid'?")
    assert messages["limit"] == "must be a whole number."
    assert messages["filter"] == "there is no such field."


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["query", "x", "--mode", "hybird"], "'hybird' is not one of 'auto', 'graph_only', 'hybrid'"),
        (["query", "x", "--mode", "hybird"], "'metadata_only'; did you mean 'hybrid'?"),
        (["query", "x", "--mode", "7"], "'metadata_only'."),
        (["documents", "list", "--sort", "newst"], "did you mean 'newest'?"),
        (["query", "x", "--limit", "many"], "Invalid value for '--limit': must be a whole number."),
    ],
)
def test_the_command_line_names_what_is_allowed_and_the_nearest(words: list[str], expected: str) -> None:
    refused = CliRunner().invoke(main.app, words)
    assert refused.exit_code == InvalidInputError.exit_code
    shown = " ".join(refused.stderr.replace("│", " ").split())
    assert expected in shown
    assert "Value error" not in shown


def test_words_of_a_repeated_option_have_a_nearest_one_too() -> None:
    with pytest.raises(InvalidInputError, match=r"--leg vektor: use one of vector, .*; did you mean 'vector'"):
        choices("--leg", ["vektor"], LEGS)


def test_names_of_tenants_and_groups_are_explained_without_regular_expressions(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = CliRunner().invoke(main.app, ["query", "x", "--tenant", "Bad Name"])
    messages = [str(refused.exception)]
    assert messages[0] == f"'Bad Name' is not a valid tenant name; it must be {TENANT.description}."
    for tenant, group in (("Bad Name", "a"), ("a", "bad group")):
        with pytest.raises(InvalidInputError) as wrong:
            Grant("k", (tenant,), ("read",), (group,))
        messages.append(str(wrong.value))
    with pytest.raises(InvalidInputError) as wrong:
        group_names(["bad group"])
    monkeypatch.setenv("INTERLACE_TENANT", "Bad Name")
    with pytest.raises(SettingsError) as set_wrongly:
        load_settings()
    messages += [str(wrong.value), str(set_wrongly.value)]
    assert not [message for message in messages if re.search(r"\[a-z|\[A-Za|\{0|\\A", message)], json.dumps(messages)
