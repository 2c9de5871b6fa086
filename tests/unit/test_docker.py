"""The container files, as far as they can be checked without a container engine."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from interlace.settings import PREFIX, load_settings
from interlace_stack.configuration import ALLOWED_PROCEDURES

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
VALUES = {
    "NEO4J_PASSWORD": "graph",
    "QDRANT_API_KEY": "vectors",
    "REDIS_PASSWORD": "queue",
    "API_KEY_SHA256": "0" * 64,
    "WORKER_PROCESSES": "3",
}
OURS = ("migrate", "api", "worker", "beat")
POM = (ROOT / "ops" / "local" / "pom.xml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    filled = re.sub(r"(?<!\$)\$\{(\w+)(?::[?-][^}]*)?\}", lambda match: VALUES[match[1]], text)
    return cast("dict[str, Any]", yaml.safe_load(filled))


def test_compose_fits_its_schema() -> None:
    tool = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", "--quiet"]
    done = subprocess.run([*tool, DOCKER / "compose.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_names_every_variable() -> None:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    wanted = set(re.findall(r"(?<!\$)\$\{(\w+)", text))
    offered = set(re.findall(r"^(\w+)=", (DOCKER / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))
    assert wanted == offered == set(VALUES)


@pytest.mark.parametrize("service", OURS)
def test_settings_accept_a_services_environment(
    compose: dict[str, Any], service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in compose["services"][service]["environment"].items():
        assert variable.startswith(PREFIX)
        monkeypatch.setenv(variable, str(value))
    settings = load_settings()
    assert settings.neo4j.password.get_secret_value() == VALUES["NEO4J_PASSWORD"]
    assert settings.qdrant.api_key.get_secret_value() == VALUES["QDRANT_API_KEY"]
    assert settings.redis.url.get_secret_value() == f"redis://:{VALUES['REDIS_PASSWORD']}@redis:6379/0"


def test_only_the_api_listens_for_others_and_it_has_a_key(
    compose: dict[str, Any],
) -> None:
    listening = {name for name, each in compose["services"].items() if "INTERLACE_API__HOST" in each["environment"]}
    assert listening == {"api"}
    assert compose["services"]["api"]["environment"]["INTERLACE_API__KEYS"] == f'["{VALUES["API_KEY_SHA256"]}"]'


def test_every_service_is_watched_bounded_and_on_loopback(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert "healthcheck" in service, name
        assert "mem_limit" in service, name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ())), name
        for other, condition in service.get("depends_on", {}).items():
            expected = "service_completed_successfully" if other == "migrate" else "service_healthy"
            assert condition == {"condition": expected}, name


@pytest.mark.parametrize("service", OURS)
def test_our_processes_are_confined(compose: dict[str, Any], service: str) -> None:
    described = compose["services"][service]
    assert described["read_only"] is True
    assert described["user"] not in {"", "0", "root"}
    assert described["cap_drop"] == ["ALL"]


def test_stores_have_no_way_out(compose: dict[str, Any]) -> None:
    assert compose["networks"]["stores"] == {"internal": True}
    for name in ("qdrant", "redis", "worker", "beat", "migrate"):
        assert compose["services"][name]["networks"] == ["stores"], name


def test_neo4j_has_the_local_stacks_settings(compose: dict[str, Any]) -> None:
    given = {as_setting(name): str(value) for name, value in compose["services"]["neo4j"]["environment"].items()}
    lines = (ROOT / "ops" / "local" / "neo4j.conf").read_text(encoding="utf-8").splitlines()
    wanted = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    elsewhere = {name for name in wanted if name not in given}
    assert elsewhere == {
        # The image's own: all addresses of the container, no TLS, folders, passwords.
        "server.default_listen_address",
        "server.bolt.listen_address",
        "server.bolt.advertised_address",
        "server.http.listen_address",
        "server.http.advertised_address",
        "server.https.enabled",
        "server.directories.plugins",
        "server.directories.logs",
        "dbms.security.auth_enabled",
    }
    differing = {name for name in wanted.keys() - elsewhere if "$" not in wanted[name] and given[name] != wanted[name]}
    assert differing == set()
    assert given["dbms.security.procedures.allowlist"] == ",".join(ALLOWED_PROCEDURES)
    assert "-XX:+ExitOnOutOfMemoryError" in (DOCKER / "neo4j.Dockerfile").read_text(encoding="utf-8")


def test_redis_refuses_tasks_before_it_is_killed_for_its_memory(compose: dict[str, Any]) -> None:
    redis = compose["services"]["redis"]
    (maxmemory,) = re.findall(r"--maxmemory (\d+)mb", redis["command"][-1])
    assert int(maxmemory) < int(redis["mem_limit"].removesuffix("m"))


def as_setting(variable: str) -> str:
    """Return the setting that Neo4j's image makes of a variable: ``__`` is an underscore, ``_`` a dot."""
    return variable.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_")


@pytest.mark.parametrize("file", ["app.Dockerfile", "neo4j.Dockerfile"])
def test_images_are_pinned_and_what_they_copy_is_there(file: str) -> None:
    text = (DOCKER / file).read_text(encoding="utf-8")
    for image in re.findall(r"^FROM (\S+)", text, re.MULTILINE):
        assert re.search(r":\d", image), image
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / source).exists() for source in sources.split()), sources


def test_versions_are_those_of_the_local_stack(compose: dict[str, Any]) -> None:
    neo4j, gds = (re.findall(rf"<{name}.version>(.+?)<", POM)[0] for name in ("neo4j", "gds"))
    assert f"FROM neo4j:{neo4j}-community" in (DOCKER / "neo4j.Dockerfile").read_text(encoding="utf-8")
    assert compose["services"]["neo4j"]["image"] == f"interlace/neo4j:{neo4j}-gds-{gds}"
    locked = re.findall(r"^uv==(\S+)", (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.findall(r"uv==(\S+)", (DOCKER / "app.Dockerfile").read_text(encoding="utf-8")) == locked


class Container:
    """Runs the health check with the image's tools replaced."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pause = folder / "neo4j-killed"
        self._tool("pkill", f"echo $@ >> {folder / 'kills'}")

    def check(self, answer: str, free_kib: int = 262_144) -> bool:
        """Return whether the server is reported as healthy."""
        self._tool("cypher-shell", f"printf '{answer}'")
        self._tool("df", f"printf 'Avail\n{free_kib}\n'")
        done = subprocess.run(
            [DOCKER / "neo4j-healthcheck.sh"],
            env={"PATH": f"{self._folder}:/usr/bin:/bin", "NEO4J_AUTH": "neo4j/graph", "TMPDIR": str(self._folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return done.returncode == 0

    def kills(self) -> list[str]:
        record = self._folder / "kills"
        return record.read_text().splitlines() if record.exists() else []

    def last_kill_was(self, seconds: int) -> None:
        """Let the last kill be so many seconds ago."""
        then = time.time() - seconds
        os.utime(self.pause, (then, then))

    def _tool(self, name: str, line: str) -> None:
        path = self._folder / name
        path.write_text(f"#!/bin/bash\n{line}\n")
        path.chmod(0o755)


@pytest.mark.parametrize(
    ("answer", "free_kib", "healthy", "kills"),
    [
        ("count(*)\n0", 10, True, 0),
        ("count(*)\n1", 262_144, False, 1),
        ("count(*)\n1", 262_143, False, 0),
        ("", 10**9, False, 0),
    ],
    ids=["healthy", "failed, disk space", "failed, full disk", "no answer"],
)
def test_a_neo4j_that_failed_is_ended_once_there_is_disk_space(
    answer: str, free_kib: int, healthy: bool, kills: int, tmp_path: Path
) -> None:
    neo4j = Container(tmp_path)
    assert [neo4j.check(answer, free_kib) for _ in range(2)] == [healthy, healthy]
    assert neo4j.kills() == ["-KILL -f org.neo4j.server.CommunityEntryPoint"] * kills


@pytest.mark.parametrize("between", ["0", ""], ids=["healthy", "no answer"])
def test_a_failure_that_passes_ends_nothing(between: str, tmp_path: Path) -> None:
    neo4j = Container(tmp_path)
    for answer in ("1", between, "1", between):
        neo4j.check(answer)
    assert neo4j.kills() == []


def test_a_neo4j_that_restarts_do_not_help_is_ended_less_and_less_often(tmp_path: Path) -> None:
    neo4j = Container(tmp_path)
    pauses = []
    for number in range(7):
        neo4j.check("1")
        neo4j.check("1")
        assert len(neo4j.kills()) == number + 1
        pauses.append(int(neo4j.pause.read_text()))
        neo4j.last_kill_was(pauses[-1] - 10)
        neo4j.check("1")
        neo4j.check("1")
        assert len(neo4j.kills()) == number + 1
        neo4j.last_kill_was(pauses[-1])
    assert pauses == [30, 60, 120, 240, 480, 900, 900]
    neo4j.last_kill_was(1800)
    neo4j.check("1")
    assert int(neo4j.pause.read_text()) == 30
