"""Settings: read from the environment, frozen, and refused by name when they make no sense."""

import json

import pytest
from pydantic import SecretStr, ValidationError
from typer.testing import CliRunner

from interlace.cli.main import build
from interlace.domain.errors import SettingsError
from interlace.domain.hits import LEGS
from interlace.settings import Group, Settings, load_settings, masked
from interlace.settings_objects import DefaultPolicy, StackPorts


def test_a_variable_sets_the_field_of_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_WORKER__PROCESSES", "17")
    monkeypatch.setenv("INTERLACE_API__KEYS", '["0a", "0b"]')
    monkeypatch.setenv("INTERLACE_TENANT", "blue")
    settings = load_settings()
    assert (settings.worker.processes, settings.tenant) == (17, "blue")
    assert [key.get_secret_value() for key in settings.api.keys] == ["0a", "0b"]


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("INTERLACE_QUERY__LEG_TIMEOUT", "nan", "finite"),
        ("INTERLACE_QUERY__RECENCY_DAYS", "-1", "greater than 0"),
        ("INTERLACE_API__PORT", "70000", "65535"),
        ("INTERLACE_TENANT", "Not a name", "lower-case letters"),
        ("INTERLACE_INGEST__CHUNK_WORDS", "many", "whole number"),
        ("INTERLACE_NEO4J__PORT", "7687", "no such setting"),
        ("INTERLACE_QUERY__WEIGHTS", '{"grpah": 1}', "__GRPAH: there is no such setting"),
        ("INTERLACE_QUERY__WEIGHTS", '{"graph": NaN}', "__GRAPH: Input should be a finite"),
        ("INTERLACE_QUERY__WEIGHTS", '{"graph": 101}', "__GRAPH: Input should be less than or equal to 100"),
        ("INTERLACE_QUERY__WEIGHTS", "[1]", "valid dictionary"),
        ("INTERLACE_QUERY__WEIGHTS", '{"graph": 1', "is not JSON: Expecting ',' delimiter"),
        ("INTERLACE_QUERY__WEIGHTS__GRAPH", "1", "no such setting"),
        ("INTERLACE_QUERY__POLICY", '{"first": "vectors"}', "__FIRST: Input should be 'graph' or 'all'"),
        ("INTERLACE_QUERY__POLICY", '{"min_graph_hits": 1001}', "__MIN_GRAPH_HITS: Input should be less than"),
        ("INTERLACE_API__KEYS", "hunter2", "is not JSON: Expecting value"),
        ("INTERLACE_PACK__WEIGHTS", '{"epistemic": {"opinion": -1}}', "__EPISTEMIC__OPINION: Input should be greater"),
        ("INTERLACE_QDRANT__URL", "localhost:6333", "write http://host:6333"),
        ("INTERLACE_REDIS__URL", "localhost:6379", "write redis://host:6379/0"),
        ("INTERLACE_STACK__PORTS", '{"bolt": 70000}', "__BOLT: Input should be less than or equal to 65535"),
        ("INTERLACE_STACK__PORTS", '{"http": 7474}', "__HTTP: there is no such setting"),
        ("INTERLACE_STACK__PORTS", '{"bolt": 6379}', "each server needs its own port"),
    ],
)
def test_senseless_values_are_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert variable in refused.value.message
    assert said in refused.value.message


def test_a_json_object_keeps_what_it_does_not_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_QUERY__WEIGHTS", '{"graph": 0.4}')
    monkeypatch.setenv("INTERLACE_QUERY__POLICY", '{"first": "graph", "min_overlap": 0.5}')
    monkeypatch.setenv("INTERLACE_STACK__PORTS", '{"bolt": 7688}')
    assert load_settings().stack.ports == StackPorts(bolt=7688, browser=7474, qdrant=6333, redis=6379)
    query = load_settings().query
    assert (query.weights.graph, query.weights.vector) == (0.4, Settings().query.weights.vector)
    assert tuple(query.weights.model_dump()) == LEGS
    assert query.policy == DefaultPolicy(first="graph", min_overlap=0.5)


def test_unknown_groups_are_refused_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_NEO5J__URI", "bolt://elsewhere")
    with pytest.raises(SettingsError, match=r"INTERLACE_NEO5J__URI is not a setting.*INTERLACE_NEO4J"):
        load_settings()


def test_a_refusal_does_not_tell_the_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ('{"key": "hunter2"}', "hunter2"):
        monkeypatch.setenv("INTERLACE_API__KEYS", value)
        with pytest.raises(SettingsError) as refused:
            load_settings()
        assert "hunter2" not in refused.value.message


def test_settings_are_frozen() -> None:
    settings = load_settings()
    with pytest.raises(ValidationError):
        settings.query.leg_timeout = 1  # type: ignore[misc]


def test_secrets_are_masked_and_empty_ones_stay_empty() -> None:
    settings = Settings()
    group = settings.neo4j.model_copy(update={"password": SecretStr("hunter2")})
    shown = masked(settings.model_copy(update={"neo4j": group}))
    assert "hunter2" not in json.dumps(shown)
    assert shown["neo4j"]["password"].strip("*") == ""
    assert shown["neo4j"]["password"]
    assert shown["qdrant"]["api_key"] == ""
    llm = settings.llm.model_copy(update={"url": "http://user:hunter2@x@127.0.0.1:9/v1"})
    assert masked(settings.model_copy(update={"llm": llm}))["llm"]["url"] == "http://***@127.0.0.1:9/v1"


def test_every_setting_says_what_it_is() -> None:
    for name, field in Settings.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, Group):
            assert group.__doc__, name
            assert all(part.description for part in group.model_fields.values()), name
        else:
            assert field.description, name


def test_config_check_tells_where_a_value_comes_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("INTERLACE_WORKER__PROCESSES", "17")
    monkeypatch.setenv("INTERLACE_QUERY__WEIGHTS", '{"graph": 0.4, "tags": 0}')
    monkeypatch.setenv("COLUMNS", "400")
    result = CliRunner().invoke(build(), ["config", "check"])
    rows = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line.startswith("INTERLACE_")}
    assert result.exit_code == 0
    assert rows["INTERLACE_WORKER__PROCESSES"] == ["17", "environment"]
    assert rows["INTERLACE_QUERY__POLICY"][-1] == "default"
    assert " ".join(rows["INTERLACE_QUERY__WEIGHTS"]).endswith(
        "environment, but vector, keyword, community, paths: default"
    )
