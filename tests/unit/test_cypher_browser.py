"""The kit for Neo4j Browser: guide, saved queries as a zip file, style sheet."""

import html
import re
import zipfile
from pathlib import Path

import pytest

from interlace.cli.commands.browser import write_kit
from interlace.cypher_files import cypher_root, files_root, guide, parse_query

BROWSER = cypher_root() / "browser"


def test_the_guide_holds_the_saved_queries_as_they_are() -> None:
    text = guide("start")
    saved = parse_query("top", (BROWSER / "saved/entities/top_entities.cypher").read_text(encoding="utf-8"))
    assert f"// {saved.title}\n{saved.text}" in html.unescape(text)
    assert "{{" not in text


def test_no_node_is_named_by_its_deprecated_number() -> None:
    """``id()``: Neo4j gives a number to another node once the first is gone."""
    files = [path for root in (cypher_root(), files_root() / "notebooks") for path in sorted(root.rglob("*.*"))]
    shown = [
        path for path in files if path.suffix in {".cypher", ".html", ".ipynb"} and "node_modules" not in path.parts
    ]
    assert len(shown) > 100
    assert [path.name for path in shown if re.search(r"\bid ?\(", path.read_text(encoding="utf-8"))] == []


def test_the_guide_is_slides_of_well_formed_markup() -> None:
    text = guide("start")
    assert text.count("<slide") == text.count("</slide>") >= 3
    runnable = re.findall(r'<pre class="pre-scrollable code runnable">(.*?)</pre>', text, re.DOTALL)
    assert len(runnable) == text.count("<pre") >= 5
    assert not [query for query in runnable if "<" in query or ">" in query]


def test_no_command_forgets_the_tenant() -> None:
    """``:params {…}`` replaces all parameters, and with them the tenant that was set when the Browser connected."""
    files = [*BROWSER.glob("guides/*.html"), *BROWSER.glob("saved/*/*.cypher")]
    assert len(files) > 25
    assert [path.name for path in files if ":params {" in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("name", ["../guides/start", "", "start\n", "start.html", "none"])
def test_only_guides_are_given(name: str) -> None:
    with pytest.raises(FileNotFoundError):
        guide(name)


def test_the_kit_holds_every_saved_query_in_its_folder(tmp_path: Path) -> None:
    names = write_kit(tmp_path / "kit.zip")
    expected = sorted(path.relative_to(BROWSER / "saved").as_posix() for path in (BROWSER / "saved").rglob("*.cypher"))
    with zipfile.ZipFile(tmp_path / "kit.zip") as kit:
        assert names == expected == kit.namelist()
        assert [kit.read(name) for name in names] == [(BROWSER / "saved" / name).read_bytes() for name in names]


def test_the_same_queries_give_the_same_kit(tmp_path: Path) -> None:
    write_kit(tmp_path / "one.zip")
    write_kit(tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_every_saved_query_has_a_title_of_its_own() -> None:
    """Neo4j Browser shows the first comment as the favourite's name."""
    titles = [path.read_text(encoding="utf-8").splitlines()[0] for path in (BROWSER / "saved").rglob("*.cypher")]
    assert len(titles) == len(set(titles))
    assert all(title.startswith("// ") for title in titles)


def test_every_label_of_the_graph_has_a_style_and_a_caption() -> None:
    style = (BROWSER / "style.grass").read_text(encoding="utf-8")
    labels = set(re.findall(r'^node\.(\w+) \{[^}]*caption: "\{\w+\}"', style, re.MULTILINE))
    assert labels >= {"Document", "Section", "Chunk", "Entity", "Fact", "Community", "Tag", "Reference"}
