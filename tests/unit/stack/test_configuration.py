"""The servers' configuration, and that no secret is where others can read it."""

import json
from pathlib import Path

import pytest
from supervisor.options import ServerOptions

from interlace.settings import (
    ApiSettings,
    LlmSettings,
    Neo4jSettings,
    QuerySettings,
    Settings,
    StackSettings,
    load_settings,
)
from interlace.settings_objects import StackPorts
from interlace_stack.configuration import render_neo4j, render_redis, render_supervisor, write_configuration
from interlace_stack.environment import app_environment, settings_environment
from interlace_stack.layout import Layout, layout_of
from interlace_stack.programs import ALL, StackProgram
from interlace_stack.state import StackState, ensure_state


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(
        stack=StackSettings(home=tmp_path, ports=StackPorts(bolt=1111), neo4j_heap_mb=800), api=ApiSettings(port=2222)
    )


@pytest.fixture
def layout(settings: Settings) -> Layout:
    made = layout_of(settings)
    made.prepare()
    return made


@pytest.fixture
def state(settings: Settings, layout: Layout) -> StackState:
    return ensure_state(settings, layout)


def pairs(conf: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in conf.splitlines() if line and not line.startswith("#"))


def fake_programs() -> dict[str, StackProgram]:
    return {name: StackProgram(name, ("/bin/prog", f"--{name}"), f"--{name}") for name in ALL}


def test_neo4j_is_closed_to_the_outside(settings: Settings, layout: Layout, state: StackState) -> None:
    conf = pairs(render_neo4j(settings, layout, state))
    assert conf["server.directories.import"] == "import"
    assert conf["dbms.security.allow_csv_import_from_file_urls"] == "false"
    assert conf["internal.dbms.cypher_ip_blocklist"] == "0.0.0.0/0,::/0"
    assert conf["dbms.security.auth_enabled"] == "true"
    assert conf["dbms.usage_report.enabled"] == "false"
    assert conf["server.bolt.listen_address"] == "127.0.0.1:1111"
    assert conf["db.memory.transaction.max"] == "400m"
    assert conf["browser.post_connect_cmd"].split("; ") == [
        "param tenant: 'default'",
        "style http://127.0.0.1:2222/guides/style.grass",
        "play http://127.0.0.1:2222/guides/start",
    ]


def test_only_used_procedures_are_loaded(settings: Settings, layout: Layout, state: StackState) -> None:
    allowed = pairs(render_neo4j(settings, layout, state))["dbms.security.procedures.allowlist"].split(",")
    assert {"gds.leiden.*", "gds.pageRank.*", "gds.version", "db.*", "gds.*.stream", "gds.*.mutate"} <= set(allowed)
    assert not {"*", "gds.*", "gds.graph.*", "apoc.*"} & set(allowed)


def test_redis_keeps_what_it_was_given(layout: Layout, state: StackState) -> None:
    lines = render_redis(layout, state).splitlines()
    expected = {
        "appendonly yes",
        "maxmemory-policy noeviction",
        "bind 127.0.0.1",
        f"requirepass {state.redis_password}",
    }
    assert expected <= set(lines)


def test_percent_signs_survive_the_supervisors_expansion(tmp_path: Path) -> None:
    layout = Layout(home=tmp_path / "100%", name="a")
    text = render_supervisor(layout, fake_programs(), {})
    assert "%" not in text.replace("%%", "")
    assert f"{tmp_path}/100%%/a/run/supervisor.sock" in text


def test_only_planned_programs_are_configured(layout: Layout) -> None:
    plan = {name: program for name, program in fake_programs().items() if name in {"redis", "api"}}
    text = render_supervisor(layout, plan, {})
    assert [line for line in text.splitlines() if line.startswith("[program:")] == ["[program:redis]", "[program:api]"]


def test_files_with_secrets_are_private_and_nothing_else_holds_any(
    settings: Settings, layout: Layout, state: StackState
) -> None:
    write_configuration(settings, layout, state, fake_programs())
    for path in (path for path in layout.root.rglob("*") if path.is_file()):
        assert path.stat().st_mode & 0o077 == 0, path
    supervisor = layout.supervisor_conf.read_text()
    assert not any(
        secret in supervisor for secret in (state.neo4j_password, state.redis_password, state.qdrant_api_key)
    )


def test_a_changed_setting_touches_only_the_programs_that_read_it(
    settings: Settings, layout: Layout, state: StackState
) -> None:
    assert write_configuration(settings, layout, state, fake_programs())
    assert not write_configuration(settings, layout, state, fake_programs())
    before = layout.supervisor_conf.read_text().splitlines()
    changed = settings.model_copy(update={"query": QuerySettings(leg_timeout=7)})
    assert write_configuration(changed, layout, state, fake_programs())
    after = layout.supervisor_conf.read_text().splitlines()
    sections = "\n".join(after).split("[program:")
    different = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [section.split("]")[0] for section in sections for line in different if line in section] != []
    assert len(set(different)) == 1
    assert {section.split("]")[0] for section in sections if different[0] in section} == {"api", "worker", "beat"}


def test_settings_survive_the_way_through_variables(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    rich = settings.model_copy(
        update={
            "neo4j": Neo4jSettings(uri="bolt://elsewhere:1", password="päss \"word' $x %y"),
            "api": ApiSettings(port=2222, keys=("a", "b")),
        }
    )
    for name, value in settings_environment(rich).items():
        monkeypatch.setenv(name, value)
    assert load_settings().model_dump() == rich.model_dump()


def test_servers_get_no_settings(
    settings: Settings, layout: Layout, state: StackState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLACE_NEO4J__PASSWORD", "hunter2hunter2")
    monkeypatch.setenv("SOME_TOKEN", "hunter2hunter2")
    write_configuration(settings, layout, state, fake_programs())
    for name in ("neo4j", "redis", "qdrant"):
        environment = json.loads((layout.run / f"{name}.env.json").read_text())
        assert not [variable for variable in environment if variable.startswith("INTERLACE_")]
        assert "hunter2hunter2" not in environment.values()


def test_workers_get_the_access_to_the_providers_that_are_chosen_and_to_no_other(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "AWS_REGION_NAME", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "of the shell")
    assert not {"OPENAI_API_KEY", "AWS_REGION_NAME", "ANTHROPIC_API_KEY"} & app_environment(settings).keys()
    chosen = settings.model_copy(update={"llm": LlmSettings(model="openai/small", summaries="bedrock/large")})
    environment = app_environment(chosen)
    assert environment["OPENAI_API_KEY"] == environment["AWS_REGION_NAME"] == "of the shell"
    assert "ANTHROPIC_API_KEY" not in environment


def test_variables_of_traces_reach_the_apps_and_restart_them(
    settings: Settings, layout: Layout, state: StackState, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_configuration(settings, layout, state, fake_programs())
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    assert write_configuration(settings, layout, state, fake_programs())
    environments = {
        name: json.loads((layout.run / f"{name}.env.json").read_text()) for name in ("api", "worker", "redis")
    }
    assert [name for name, each in environments.items() if "OTEL_EXPORTER_OTLP_ENDPOINT" in each] == ["api", "worker"]


@pytest.mark.parametrize("name", ["100%", "a%20b", "50%(x)s off", "a b$d"])
def test_supervisord_reads_the_folders_of_a_stack_as_they_are(tmp_path: Path, name: str) -> None:
    layout = Layout(tmp_path / name, "s")
    layout.prepare()
    layout.supervisor_conf.write_text(render_supervisor(layout, fake_programs(), {}), encoding="utf-8")
    options = ServerOptions()
    options.realize(["-c", str(layout.supervisor_conf)])
    (redis,) = (
        each for group in options.process_group_configs for each in group.process_configs if each.name == "redis"
    )
    assert redis.stdout_logfile == str(layout.log("redis"))
    assert options.logfile == str(layout.logs / "supervisord.log")
    assert str(layout.run) in redis.command
