"""Which of the user's settings and the stack's values wins, and that the stack's credentials stay on this machine."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from interlace.domain.errors import StackError
from interlace.settings import EmbeddingSettings, Settings, load_settings
from interlace_stack.connect import connect
from interlace_stack.external import external_servers
from interlace_stack.layout import layout_of
from interlace_stack.state import StackState, ensure_state, read_state


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(tmp_path))
    monkeypatch.setenv("INTERLACE_STACK__PORTS", '{"bolt": 1111}')
    return tmp_path


def started() -> StackState:
    layout = layout_of(load_settings())
    layout.prepare()
    return ensure_state(load_settings(), layout)


def test_without_a_stack_nothing_changes_but_addresses_at_ports_that_were_set(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = connect(load_settings())
    assert settings.neo4j.uri == "bolt://127.0.0.1:1111"
    assert (settings.neo4j.password, settings.qdrant) == (SecretStr(""), load_settings().qdrant)
    monkeypatch.delenv("INTERLACE_STACK__PORTS")
    assert connect(load_settings()) == load_settings()


def test_open_fields_are_filled_from_the_stack() -> None:
    state = started()
    settings = connect(load_settings())
    assert settings.neo4j.uri == "bolt://127.0.0.1:1111"
    assert settings.neo4j.browser_url == state.browser_url
    assert settings.neo4j.password == SecretStr(state.neo4j_password)
    assert settings.qdrant.api_key == SecretStr(state.qdrant_api_key)
    assert settings.redis.url.get_secret_value() == f"redis://:{state.redis_password}@127.0.0.1:6379/0"


def test_a_variable_wins_over_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    state = started()
    monkeypatch.setenv("INTERLACE_NEO4J__BROWSER_URL", "https://graph.example/browser/")
    settings = connect(load_settings())
    assert settings.neo4j.browser_url == "https://graph.example/browser/"
    assert settings.neo4j.password == SecretStr(state.neo4j_password)


@pytest.mark.parametrize(
    ("variable", "value", "group", "field"),
    [
        ("INTERLACE_NEO4J__URI", "neo4j+s://db.example", "neo4j", "password"),
        ("INTERLACE_NEO4J__URI", "bolt://db-localhost:1111", "neo4j", "password"),
        ("INTERLACE_NEO4J__URI", "bolt://127.0.0.1:11111", "neo4j", "password"),
        ("INTERLACE_NEO4J__URI", "bolt://127.0.0.1", "neo4j", "password"),
        ("INTERLACE_NEO4J__URI", "bolt://127.0.0.1:1111@db.example", "neo4j", "password"),
        ("INTERLACE_QDRANT__URL", "https://vectors.example", "qdrant", "api_key"),
        ("INTERLACE_QDRANT__URL", "http://vectors-localhost:6333", "qdrant", "api_key"),
        ("INTERLACE_QDRANT__URL", "http://127.0.0.1:63330", "qdrant", "api_key"),
        ("INTERLACE_QDRANT__URL", "http://localhost:none", "qdrant", "api_key"),
    ],
)
def test_the_stacks_credentials_never_go_to_a_server_elsewhere(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, group: str, field: str
) -> None:
    started()
    monkeypatch.setenv(variable, value)
    settings = connect(load_settings())
    assert external_servers(settings) == {group}
    assert getattr(getattr(settings, group), field) == SecretStr("")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("INTERLACE_NEO4J__URI", "neo4j://LOCALHOST:1111"),
        ("INTERLACE_QDRANT__URL", "http://localhost:6333/"),
        ("INTERLACE_REDIS__URL", "redis://:secret@127.0.0.1"),
    ],
)
def test_the_stacks_own_server_may_be_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    started()
    monkeypatch.setenv(variable, value)
    assert external_servers(load_settings()) == frozenset()


def test_sentinels_are_never_the_stacks_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    started()
    monkeypatch.setenv("INTERLACE_REDIS__URL", "sentinel://127.0.0.1:6379;sentinel://127.0.0.1:6380")
    monkeypatch.setenv("INTERLACE_REDIS__MASTER", "mymaster")
    settings = connect(load_settings())
    assert external_servers(settings) == {"redis"}
    assert settings.redis == load_settings().redis


def test_connected_settings_are_still_the_local_stacks() -> None:
    started()
    settings = connect(load_settings())
    assert external_servers(settings) == frozenset()
    assert connect(settings) == settings


@pytest.mark.vectors
def test_a_fetched_model_is_found_unless_another_is_wanted(home: Path) -> None:
    folder = home / "cache" / "models" / "bge-small-en-v1.5"
    folder.mkdir(parents=True)
    (folder / "model.onnx").touch()
    assert connect(load_settings()).embedding.folder == folder
    other = EmbeddingSettings(folder=home / "mine")
    assert connect(load_settings(embedding=other)).embedding.folder == home / "mine"
    assert connect(load_settings(embedding=EmbeddingSettings(model="mine"))).embedding.folder is None


def test_the_state_is_private_and_kept() -> None:
    state = started()
    layout = layout_of(load_settings())
    assert layout.state_file.stat().st_mode & 0o777 == 0o600
    assert started() == state == read_state(layout)


def test_new_ports_keep_the_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    state = started()
    monkeypatch.setenv("INTERLACE_STACK__PORTS", '{"bolt": 2222}')
    moved = started()
    assert (moved.bolt_port, moved.neo4j_password) == (2222, state.neo4j_password)


def test_a_wished_password_counts_at_the_first_start_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_NEO4J__PASSWORD", "wished-by-the-user")
    assert started().neo4j_password == "wished-by-the-user"
    monkeypatch.setenv("INTERLACE_NEO4J__PASSWORD", "another-one")
    with pytest.raises(StackError, match=r"not the password of this stack.* change neo4j_password in that file"):
        started()


@pytest.mark.parametrize("text", ["", "{", '{"format": 1}', '{"format": 99}', "[]"])
def test_a_damaged_state_is_named(text: str) -> None:
    started()
    layout = layout_of(load_settings())
    layout.state_file.write_text(text)
    with pytest.raises(StackError, match=r"stack\.json"):
        connect(load_settings())


def test_too_long_a_home_is_refused_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_STACK__HOME", str(tmp_path / ("x" * 100)))
    settings: Settings = load_settings()
    with pytest.raises(StackError, match="Set INTERLACE_STACK__HOME to a shorter path"):
        layout_of(settings).prepare()
