"""The container files, as far as they can be checked without a container engine."""

import re
import subprocess
import sys
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


def test_neo4j_has_the_local_stacks_guards(compose: dict[str, Any]) -> None:
    given = {as_setting(name): str(value) for name, value in compose["services"]["neo4j"]["environment"].items()}
    lines = (ROOT / "ops" / "local" / "neo4j.conf").read_text(encoding="utf-8").splitlines()
    wanted = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    guards = [
        "server.directories.import",
        "dbms.security.allow_csv_import_from_file_urls",
        "internal.dbms.cypher_ip_blocklist",
        "internal.dbms.bolt.netty_server_shutdown_quiet_period",
        "db.tx_log.preallocate",
        "db.transaction.timeout",
        "dbms.usage_report.enabled",
        "dbms.security.procedures.unrestricted",
    ]
    assert {name: given[name] for name in guards} == {name: wanted[name] for name in guards}
    assert given["dbms.security.procedures.allowlist"] == ",".join(ALLOWED_PROCEDURES)


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


@pytest.mark.parametrize(
    ("answer", "free_kib", "well", "killed"),
    [
        ("count(*)\n0", 10, True, False),
        ("count(*)\n1", 262_144, False, True),
        ("count(*)\n1", 262_143, False, False),
        ("", 10**9, False, False),
    ],
    ids=["healthy", "failed, disk space", "failed, full disk", "no answer"],
)
def test_a_neo4j_that_failed_is_ended_once_there_is_disk_space(
    answer: str, free_kib: int, well: bool, killed: bool, tmp_path: Path
) -> None:
    """The script runs with the image's tools replaced."""
    record = tmp_path / "killed"
    tools = {
        "cypher-shell": f"printf '{answer}'",
        "df": f"printf 'Avail\n{free_kib}\n'",
        "pkill": f"echo $@ > {record}",
    }
    for name, line in tools.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{line}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [DOCKER / "neo4j-healthcheck.sh"],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "NEO4J_AUTH": "neo4j/graph"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0, record.exists(), done.stderr) == (well, killed, "")
    assert not killed or record.read_text().startswith("-KILL ")
