"""The explore page as people see it: ask, follow the path, read an entity's facts, a document, jobs and communities.

With ``INTERLACE_TEST_SCREENSHOTS=docs/images`` the test renews the picture of the README.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys
from tests.e2e.pages import ExplorePage

from interlace.bootstrap import Platform
from interlace.domain.documents import Source
from interlace.settings import Settings
from interlace_stack.readiness import api_url

pytestmark = [pytest.mark.stack, pytest.mark.browser, pytest.mark.slow]
QUESTION = "Where was the designer of the Plover born?"
MARKUP = "<img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script> <b>bold</b>"
# WCAG 2.2 asks for 4.5 to 1: https://www.w3.org/TR/WCAG22/#contrast-minimum
CONTRAST = """
const light = colour => {
  const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = light(getComputedStyle(document.body).backgroundColor);
return Math.min(...Array.from(document.querySelectorAll('main p, main a, main h1, nav a'), node => {
  const text = light(getComputedStyle(node).color);
  return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
}));
"""


# The answer's events are held after the first sentence until the test lets the rest go.
HELD = """
const [first, rest] = Array.from(arguments, each => new TextEncoder().encode(each)), real = window.fetch;
window.fetch = (path, options) => path !== '/v1/answer' ? real(path, options) : Promise.resolve(new Response(new ReadableStream({
  start(stream) { stream.enqueue(first); window.release = () => { stream.enqueue(rest); stream.close(); }; }
})));
"""


@pytest.fixture
def page(chrome: Chrome, full_stack: Settings, saltmarsh: str) -> Iterator[ExplorePage]:
    opened = ExplorePage(chrome, api_url(full_stack.api.host, full_stack.api.port), saltmarsh)
    yield opened
    assert opened.complaints() == []


def test_a_question_shows_hits_evidence_and_the_path(page: ExplorePage, pictures: Path | None) -> None:
    page.open("")
    page.until(lambda: "documents" in page.text())
    page.find("#question")[0].send_keys(QUESTION + Keys.ENTER)
    page.until(lambda: page.find("article.hit"))
    page.until(lambda: not page.find("main[aria-busy]"))
    marks = [mark.text for mark in page.find("mark")]
    assert "She was born in Rostock in 1984 and studied in Dresden." in marks
    drawn = [drawing.get_attribute("aria-label") for drawing in page.find("article.hit svg")]
    assert "Path: Plover, then Clara Hoffmann, then the document Clara Hoffmann" in drawn
    shown = page.chrome.execute_script(
        "return Array.from(document.querySelectorAll('details pre'), each => each.textContent)"
    )
    assert any(text.startswith("curl -s") and json.dumps(QUESTION) in text for text in shown)
    assert any("Interlace" in text and "client.query" in text for text in shown)
    assert any(text.startswith("MATCH") for text in shown)
    if pictures:
        assert page.chrome.save_screenshot(str(pictures / "explore.png"))


def test_an_answer_is_shown_sentence_by_sentence(page: ExplorePage) -> None:
    page.open(f"?q={QUESTION}")
    answer = page.until(lambda: page.find("section.answer"))[0].text
    assert answer.startswith("Answer\nClara Hoffmann designed the Plover in 2017. [1 Plover]\nShe was born in Rostock")

    cited = {"number": 1, "document_id": "d", "title": "Tides", "quote": "Ebb at six."}
    sentence = {"text": "Ebb is at six.", "citations": [1]}
    whole = {"abstained": False, "mode": "extractive", "sentences": [sentence], "citations": [cited]}
    first = f"event: sentence\r\ndata: {json.dumps({**sentence, 'footnotes': [cited]})}\r\n\r\nevent: ans"
    page.chrome.execute_script(HELD, first, f"wer\r\ndata: {json.dumps(whole)}\r\n\r\n")
    page.chrome.execute_script("location.hash = '#/?q=When is ebb?'")
    assert page.until(lambda: [each.text for each in page.find("section.answer") if "Ebb" in each.text]) == [
        "Answer\nEbb is at six. [1 Tides]"
    ]
    assert page.find("main[aria-busy]")
    page.chrome.execute_script("window.release()")
    page.until(lambda: not page.find("main[aria-busy]"))
    assert page.find("section.answer")[0].text == "Answer\nEbb is at six. [1 Tides]"


def test_an_entity_shows_facts_with_their_sources(page: ExplorePage) -> None:
    page.open(f"?q={QUESTION}")
    page.until(lambda: page.find("article.hit"))
    next(
        each
        for each in page.find("article.hit a")
        if each.text == "Clara Hoffmann" and "entity" in str(each.get_attribute("href"))
    ).click()
    page.until(lambda: any(each.text == "Clara Hoffmann" for each in page.find("h1")))
    page.until(lambda: not page.find("main[aria-busy]"))
    assert "Person" in page.text()
    assert "Clara Hoffmann designed the Plover in 2017." in page.text()
    page.find("td a[href^='#/document/']")[0].click()
    page.until(lambda: "ready" in page.text())


def test_documents_jobs_and_communities_are_shown(page: ExplorePage) -> None:
    page.open("documents")
    assert page.until(lambda: "saltmarsh/products/plover.md" in page.text())
    page.open("jobs")
    assert page.until(lambda: "done" in page.text() and page.find("progress"))
    page.open("communities")
    page.until(lambda: page.find(".map circle"))
    before = page.find(".map svg")[0].get_dom_attribute("viewBox")
    page.find(".map button")[0].click()
    assert page.find(".map svg")[0].get_dom_attribute("viewBox") != before
    page.chrome.execute_script("location.hash = document.querySelector('.map a').getAttribute('href')")
    assert page.until(lambda: "Members" in page.text())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(page: ExplorePage, scheme: str) -> None:
    page.chrome.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    page.open(f"?q={QUESTION}")
    page.until(lambda: page.find("article.hit"))
    assert page.chrome.execute_script(CONTRAST) >= 4.5
    unnamed = "return Array.from(document.querySelectorAll('input, button')).filter(each => !(each.labels?.length || each.textContent.trim())).length"
    assert page.chrome.execute_script(unnamed) == 0


def test_markup_in_documents_stays_text(page: ExplorePage, full_stack: Settings, saltmarsh: str) -> None:
    with closing(Platform(full_stack)) as platform:
        source = Source("hostile.txt", "text/plain", f"Quibble Zorp wrote {MARKUP} in Oslo.".encode())
        receipt = platform.receiver.receive(saltmarsh, [source])
        page.until(lambda: platform.jobs.status(saltmarsh, receipt.job_id).finished)
        try:
            page.open("?q=What did Quibble Zorp write?")
            page.until(lambda: "Quibble Zorp" in page.text())
            assert MARKUP in page.text()
            assert page.chrome.title == "What did Quibble Zorp write? · Interlace"
            assert not page.find("main img, main script, main b")
        finally:
            hostile = platform.receiver.find(saltmarsh, source_prefix="hostile.txt")
            receipt = platform.receiver.delete(saltmarsh, ids=list(hostile))
            page.until(lambda: platform.jobs.status(saltmarsh, receipt.job_id).finished)


def test_a_problem_is_said(page: ExplorePage) -> None:
    page.open("entity/none")
    assert page.until(lambda: page.find("[role=alert]"))
