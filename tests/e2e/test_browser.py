"""Neo4j Browser as people see it: log in, guide, colours, a saved query drawn as a graph.

With ``INTERLACE_TEST_SCREENSHOTS=docs/images`` the test renews the picture of the README.
"""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from tests.e2e.pages import Page

from interlace.bootstrap import Platform
from interlace.cypher_files import cypher_root, guide, parse_query
from interlace.domain.hits import QueryRequest
from interlace.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.browser, pytest.mark.slow]
# 1600 x 1000 pixels of which every 1.25 are one, so that captions are readable in a README.
WINDOW = {"width": 1280, "height": 800, "deviceScaleFactor": 1.25, "mobile": False}
LAYOUT_STILL = 0.5  # pixels
PERSON, DOCUMENT, FACT = "#F16667", "#4C8EDA", "#8DCC93"
SEEN_NODES = """
return Array.from(arguments[0].querySelectorAll('g.node')).map(node => {
  const circle = node.querySelector('circle.b-outline'), place = circle.getBoundingClientRect();
  const lines = Array.from(node.querySelectorAll('text'), line => line.textContent.trim());
  return {caption: lines.join(' '), colour: circle.getAttribute('fill'), place: [place.x, place.y]};
});
"""


class Neo4jBrowser(Page):
    """The page: an editor above a stream of frames, the newest first."""

    def connect(self, url: str, user: str, password: str) -> None:
        self.chrome.get(url)
        self.until(lambda: self.find("[data-testid=password]"))
        self.find("[data-testid=username]")[0].send_keys(user)
        self.find("[data-testid=password]")[0].send_keys(password + Keys.ENTER)

    def run(self, *lines: str) -> WebElement:
        """Type lines, run them and return their frame: not the newest one, which the page's own first commands may give."""
        before = len(self.named(lines[0]))
        editor = self.find("[data-testid=activeEditor] textarea")[0]
        editor.send_keys((Keys.SHIFT + Keys.ENTER + Keys.NULL).join(lines))
        self.find("[data-testid=editor-Run]")[0].click()
        self.until(lambda: len(self.named(lines[0])) > before)
        return self.named(lines[0])[0]

    def frame(self, command: str) -> WebElement:
        """Return the frame of a command, once it is there."""

        def found() -> WebElement | None:
            return next((frame for frame in self.find("[data-testid=frame]") if command in frame.text), None)

        frame = self.until(found)
        assert isinstance(frame, WebElement)
        return frame

    def click_until(self, element: Callable[[], WebElement], done: Callable[[], object]) -> object:
        """Click until something holds: a click that the page has no handler for yet is lost."""

        def tried() -> object:
            result = done()
            if not result:
                self.chrome.execute_script("arguments[0].click()", element())
            return result

        return self.until(tried, every=2)

    def named(self, command: str) -> list[WebElement]:
        """Return the frames of a command that are there."""
        return [frame for frame in self.find("[data-testid=frame]") if command in frame.text]

    def nodes(self, frame: WebElement) -> list[dict[str, Any]]:
        """Return caption, colour and place of the nodes drawn in a frame."""
        drawn: list[dict[str, Any]] = self.chrome.execute_script(SEEN_NODES, frame)
        return drawn

    def settled(self, frame: WebElement) -> list[dict[str, Any]]:
        """Return the nodes once there are some and they have come to rest."""
        last: list[dict[str, Any]] = []

        def at_rest() -> bool:
            nonlocal last
            before, last = last, self.nodes(frame)
            return bool(last) and len(before) == len(last) and all(map(_near, before, last))

        self.until(at_rest)
        return last


def _near(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(abs(a - b) < LAYOUT_STILL for a, b in zip(one["place"], other["place"], strict=True))


@pytest.fixture
def browser(chrome: Chrome) -> Neo4jBrowser:
    return Neo4jBrowser(chrome, WINDOW)


def saved(name: str) -> tuple[str, str]:
    """Return title and text of a saved query as two lines to type."""
    query = parse_query(name, (cypher_root() / "browser" / "saved" / f"{name}.cypher").read_text(encoding="utf-8"))
    return f"// {query.title}", " ".join(query.text.split())


def connected(browser: Neo4jBrowser, settings: Settings) -> None:
    neo4j = settings.neo4j
    browser.connect(neo4j.browser_url, neo4j.user, neo4j.password.get_secret_value())


def test_connecting_opens_the_guide_and_sets_tenant_and_style(browser: Neo4jBrowser, full_stack: Settings) -> None:
    connected(browser, full_stack)
    guide = browser.frame("/guides/start")
    assert "Your documents as a graph that explains itself" in guide.text
    assert f'"tenant": "{full_stack.tenant}"' in browser.frame(":param tenant").text
    assert "node.Person" in browser.frame("/guides/style.grass").text
    guide.find_element(By.CSS_SELECTOR, "pre.runnable").click()
    counts = browser.frame("// What is in the graph")
    browser.until(lambda: "chunks" in counts.text)


@pytest.mark.parametrize(
    ("guide", "title", "found"),
    [
        ("schema", "Schema: nodes", "the unit of retrieval"),
        ("analyst", "For analysts", "Ada Lovelace"),
        ("curator", "For curators", "name"),
        ("operator", "For operators", "tenant"),
    ],
)
def test_the_first_guide_leads_to_guides_by_role_whose_queries_run(
    browser: Neo4jBrowser, full_stack: Settings, engines: str, guide: str, title: str, found: str
) -> None:
    connected(browser, full_stack)
    browser.frame("/guides/style.grass")
    browser.run(f":params {{tenant: '{engines}', name: 'Ada Lovelace'}}")
    # A link in a guide turns the frame of that guide into the other one.
    browser.click_until(lambda: topic(browser.frame("/guides/start"), guide), lambda: browser.named(title))
    opened = browser.frame(title)
    query = next(
        each
        for each in opened.find_elements(By.CSS_SELECTOR, "pre.runnable")
        if not each.text.strip().startswith(":param")
    )
    first = query.text.strip().splitlines()[0].lstrip(" /")
    editor = browser.find("[data-testid=activeEditor]")[0]
    browser.click_until(lambda: query, lambda: first in editor.text.replace("\xa0", " "))
    browser.find("[data-testid=editor-Run]")[0].click()

    def result() -> str:
        texts = [frame.text for frame in browser.named(first)]
        return next((text for text in texts if title not in text and found in text), "")

    assert "ERROR" not in str(browser.until(result))


def test_the_names_that_a_guide_sets_leave_the_tenant(browser: Neo4jBrowser, full_stack: Settings) -> None:
    connected(browser, full_stack)
    browser.frame("/guides/style.grass")
    (command,) = re.findall(r">(:param name:[^<]*)<", guide("start"))
    browser.run(command)
    browser.frame('"other": "Plover"')
    shown = browser.run(":params")
    named = [f'"{name}": "{value}"' for name, value in [("tenant", full_stack.tenant), ("other", "Plover")]]
    browser.until(lambda: all(each in shown.text for each in named))


def topic(frame: WebElement, guide: str) -> WebElement:
    return frame.find_element(By.CSS_SELECTOR, f"[play-topic$='/guides/{guide}']")


def test_a_link_fills_in_the_connection_and_opens_the_cypher_of_a_hit(
    browser: Neo4jBrowser, full_stack: Settings, engines: str
) -> None:
    with closing(Platform(full_stack)) as platform:
        hit = platform.questions.search(engines, QueryRequest("Who taught Ada Lovelace?", limit=1)).hits[0]
    neo4j = full_stack.neo4j
    browser.chrome.get(hit.browser_url)
    browser.until(lambda: browser.find("[data-testid=password]"))
    filled = [browser.find(f"[data-testid={name}]")[0].get_attribute("value") for name in ("boltaddress", "username")]
    assert (neo4j.uri.partition("//")[2] in str(filled[0]), filled[1]) == (True, neo4j.user)
    assert neo4j.password.get_secret_value() not in hit.browser_url
    browser.find("[data-testid=password]")[0].send_keys(neo4j.password.get_secret_value() + Keys.ENTER)
    editor = browser.until(
        lambda: next((each for each in browser.find("[data-testid=activeEditor]") if "MATCH" in each.text), None)
    )
    assert isinstance(editor, WebElement)
    assert hit.chunk_id in editor.text
    browser.frame("/guides/style.grass")
    before = len(browser.find("[data-testid=frame]"))
    browser.find("[data-testid=editor-Run]")[0].click()
    browser.until(lambda: len(browser.find("[data-testid=frame]")) > before)
    drawn = {node["caption"] for node in browser.settled(browser.find("[data-testid=frame]")[0])}
    assert any("Ada Lovelace" in caption for caption in drawn)


def test_a_saved_query_is_drawn_with_captions_and_colours(
    browser: Neo4jBrowser, full_stack: Settings, saltmarsh: str, pictures: Path | None
) -> None:
    connected(browser, full_stack)
    browser.frame("/guides/start")
    browser.frame("/guides/style.grass")
    browser.run(f":params {{tenant: '{saltmarsh}', name: 'Clara Hoffmann'}}")
    frame = browser.run(*saved("entities/why_is_this_here"))
    seen = {(node["caption"], node["colour"]) for node in browser.settled(frame)}
    assert {("Clara Hoffmann", PERSON), ("Clara Hoffmann", DOCUMENT), ("Plover", DOCUMENT)} <= seen
    assert any(caption.startswith("Clara Hoffmann design") and colour == FACT for caption, colour in seen)
    if pictures:
        frame.find_element(By.CSS_SELECTOR, "[title=Fullscreen]").click()
        browser.until(lambda: browser.find("[title='Close fullscreen']"))
        frame = browser.find("[data-testid=frame]")[0]
        browser.settled(frame)
        frame.find_element(By.CSS_SELECTOR, "[aria-label=zoom-to-fit]").click()
        browser.settled(frame)
        assert browser.chrome.save_screenshot(str(pictures / "neo4j-browser.png"))
