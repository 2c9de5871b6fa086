"""The class-path split: the server's libraries win, Graph Data Science's own code is always there."""

from pathlib import Path, PurePath

import pytest

from interlace_stack.jars import flatten, jar_at, plugin_jars, read_jars

SERVER = [
    jar_at(PurePath("org/neo4j/annotations/5.26.19/annotations-5.26.19.jar")),
    jar_at(PurePath("org/eclipse/collections/eclipse-collections/11.1.0/eclipse-collections-11.1.0.jar")),
]


def names(paths: list[str]) -> list[str]:
    return [jar.path.name for jar in plugin_jars(SERVER, [jar_at(PurePath(path)) for path in paths])]


def test_coordinates_come_from_the_path() -> None:
    jar = jar_at(PurePath("org/neo4j/gds/proc/2.13.9/proc-2.13.9.jar"))
    assert (jar.group, jar.artifact) == ("org.neo4j.gds", "proc")


def test_a_path_outside_the_layout_is_refused() -> None:
    with pytest.raises(ValueError, match=r"proc\.jar is not in Maven's repository layout"):
        jar_at(PurePath("proc.jar"))


def test_own_jars_stay_even_where_the_server_has_the_artifact() -> None:
    path = "org/neo4j/gds/annotations/2.13.9/annotations-2.13.9.jar"
    assert names([path]) == ["annotations-2.13.9.jar"]


def test_third_party_jars_stay_only_where_the_server_lacks_the_artifact() -> None:
    known = "org/eclipse/collections/eclipse-collections/10.0.0/eclipse-collections-10.0.0.jar"
    new = "org/hdrhistogram/HdrHistogram/2.2.2/HdrHistogram-2.2.2.jar"
    assert names([known, new]) == ["HdrHistogram-2.2.2.jar"]


def test_neo4js_own_jars_do_not_come_a_second_time_with_the_plugins() -> None:
    assert names(["org/neo4j/annotations/5.26.0/annotations-5.26.0.jar"]) == []


def test_flattening_keeps_both_jars_of_one_file_name(tmp_path: Path) -> None:
    for group in ("a", "b"):
        folder = tmp_path / "m2" / group / "same" / "1"
        folder.mkdir(parents=True)
        (folder / "same-1.jar").write_text(group)
    flatten(read_jars(tmp_path / "m2"), tmp_path / "m2", tmp_path / "lib")
    assert {path.name: path.read_text() for path in (tmp_path / "lib").iterdir()} == {
        "same-1.jar": "a",
        "b.same-1.jar": "b",
    }
