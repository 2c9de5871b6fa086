"""The explore page over an API in the test's own process: its pages, its lists, what it says of problems, and what a key may see."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import pytest
from selenium.webdriver import Chrome
from tests.conftest import waiting_for_legs
from tests.e2e.pages import SECONDS, ExplorePage
from tests.integration.ingestion_world import World, ad_hoc, source
from tests.support.served import served

from interlace.access.keys import ApiKeys, Grant
from interlace.api.app import create_app
from interlace.domain.ids import document_id
from interlace.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.browser, pytest.mark.slow]
FORGET = ad_hoc("MATCH (n) WHERE n:ApiKey OR n:AuditEntry DETACH DELETE n", "write")
OFFICE = {
    "ada.md": "# Ada Lovelace\n\nAda Lovelace met Charles Babbage in London.\n\n## Work\n\nAda Lovelace wrote a program in 1843.\n",
    "charles.md": "# Charles Babbage\n\nCharles Babbage worked with Ada Lovelace in London.\n",
    "grace.md": "# Grace Hopper\n\nGrace Hopper worked with Howard Aiken in Boston.\n",
}
# Jobs are refused with a status, or by the network without one; what would be asked again is noted with its wait in milliseconds.
REFUSED = """
const [status] = arguments, real = window.fetch;
window.waits = [];
window.setTimeout = (_, wait) => { window.waits.push(wait); };
window.fetch = (path, options) => !path.startsWith('/v1/jobs') ? real(path, options)
  : status ? Promise.resolve(new Response(JSON.stringify({ detail: 'Not now.' }), { status })) : Promise.reject(new TypeError('Not now.'));
"""
# The API gives one item a page.
ONE_EACH = """
const real = window.fetch;
window.fetch = (path, options) => real(path.replace(/limit=\\d+/, 'limit=1'), options);
"""


class Office(NamedTuple):
    """A tenant with a few documents, and where their API is."""

    world: World
    tenant: str
    address: str


@pytest.fixture(scope="module")
def office(stack: Settings) -> Iterator[Office]:
    """A few documents, and their API in this process."""
    world = World(waiting_for_legs(stack))
    with closing(world), world.tenant() as tenant, served(create_app(world.platform)) as port:
        world.ingest(tenant, OFFICE)
        world.platform.communities.refresh(tenant)
        yield Office(world, tenant, f"http://127.0.0.1:{port}")


@pytest.fixture
def office_page(chrome: Chrome, office: Office) -> Iterator[ExplorePage]:
    opened = ExplorePage(chrome, office.address, office.tenant)
    yield opened
    assert opened.complaints() == []


def test_the_skip_link_leads_to_the_content_of_the_same_page(office_page: ExplorePage) -> None:
    office_page.open("documents")
    office_page.chrome.execute_script("document.querySelector('.skip').click()")
    assert office_page.chrome.switch_to.active_element.get_attribute("id") == "main"
    assert office_page.chrome.current_url.endswith("#/documents")


def test_the_same_question_may_be_asked_again(office_page: ExplorePage) -> None:
    office_page.open("?q=Ada")
    office_page.chrome.execute_script("document.querySelector('main > div').setAttribute('data-before', '')")
    office_page.find("form.ask button")[0].click()
    office_page.until(lambda: not office_page.find("main > [data-before], main[aria-busy]"))
    assert office_page.find("article.hit")


@pytest.mark.parametrize(("status", "waits"), [(400, []), (404, []), (429, [5000]), (503, [5000]), (None, [5000])])
def test_jobs_say_a_problem_and_ask_again_if_it_may_pass(
    office_page: ExplorePage, status: int | None, waits: list[int]
) -> None:
    office_page.open("documents")
    office_page.chrome.execute_script(REFUSED, status)
    office_page.open("jobs")
    said = "Not now." if status else "The server does not answer."
    assert office_page.find("[role=alert]")[0].text.startswith(said)
    assert office_page.chrome.execute_script("return window.waits") == waits


@pytest.mark.parametrize("name", ["tenant", "key"])
def test_what_no_header_can_hold_is_said_before_it_is_sent(office_page: ExplorePage, name: str) -> None:
    office_page.open("documents")
    office_page.chrome.execute_script("sessionStorage.setItem(arguments[0], 'Schlüssel-日本')", name)
    try:
        office_page.open("jobs")
        assert office_page.find("[role=alert]")[0].text.startswith(f"The {name} has characters that no {name} has;")
    finally:
        office_page.chrome.execute_script("sessionStorage.removeItem('key')")


def test_each_page_has_a_title_and_a_heading_and_is_said(office_page: ExplorePage) -> None:
    names = {
        "": "Ask your documents",
        "?q=Ada": "Ada",
        "documents": "Documents",
        "entity/none": "This page cannot be shown",
        "entity/%": "There is no such page",
        "toString": "There is no such page",
    }
    for place, name in names.items():
        office_page.open(place)
        assert office_page.chrome.title == f"{name} · Interlace"
        assert str(office_page.find("#status")[0].get_attribute("textContent")).startswith(name)
        assert len(office_page.find("main h1")) == 1


def test_long_lists_go_on(office_page: ExplorePage, office: Office) -> None:
    places = {"documents": len(OFFICE), f"document/{document_id(office.tenant, 'ada.md')}": 2, "communities": 2}
    (ada,) = office.world.rows(
        "MATCH (e:Entity {tenant: $tenant, name: 'Ada Lovelace'}) RETURN e.id AS id", office.tenant
    )
    places[f"entity/{ada['id']}"] = 2
    whole = {}
    for place, items in places.items():
        office_page.open(place)
        whole[place] = listed(office_page)
        assert len(whole[place]) >= items, place
    office_page.chrome.execute_script(ONE_EACH)
    for place in places:
        office_page.open(place)
        assert len(listed(office_page)) < len(whole[place]), place
        while more := [each for each in office_page.find("main button") if each.text == "More"]:
            more[0].click()
            office_page.until(lambda: not office_page.find("main button:disabled"))
        assert listed(office_page) == whole[place]


def listed(page: ExplorePage) -> list[str]:
    """Return the rows and paragraphs of the page."""
    return [each.text for each in page.find("tbody tr, p.text")]


def test_what_is_copied_asks_with_the_key_of_a_variable(chrome: Chrome, office: Office) -> None:
    world, tenant, _ = office
    text = "MATCH (c:Chunk {tenant: $tenant}) WHERE c.text CONTAINS 'met Charles Babbage' RETURN c.id AS id"
    (chunk,) = world.rows(text, tenant)
    with served(create_app(world.platform)) as port:
        page = ExplorePage(chrome, f"http://127.0.0.1:{port}", tenant)
        try:
            key = enter_as(page, world, tenant, "*")
            page.open("?q=Where did Ada Lovelace meet Charles Babbage?")
            curl, python = page.chrome.execute_script(
                "return Array.from(document.querySelectorAll('details pre'), each => each.textContent).slice(0, 2)"
            )
            for command in (["sh", "-c", curl], [sys.executable, "-c", python]):
                environment = os.environ | {"API_KEY": key}
                done = subprocess.run(
                    command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=True
                )
                assert chunk["id"] in done.stdout
        finally:
            world.platform.graph.run(FORGET)


def test_a_reader_restricted_to_groups_is_led_only_to_what_it_may_see(chrome: Chrome, stack: Settings) -> None:
    world = World(waiting_for_legs(stack))
    with closing(world), world.tenant() as tenant, served(create_app(world.platform)) as port:
        world.receive(tenant, [source("open.md", "# Open\n\nAda met Bo in Oslo.\n")])
        world.receive(tenant, [source("board.md", "# Board\n\nAda met Cy in Rome.\n", access=["board"])])
        world.work()
        world.platform.communities.refresh(tenant)
        page = ExplorePage(chrome, f"http://127.0.0.1:{port}", tenant)
        try:
            enter_as(page, world, tenant, "*")
            page.until(lambda: links_of(page) == ["Ask", "Documents", "Jobs", "Communities", "API"])
            page.until(lambda: "communities." in page.text())
            enter_as(page, world, tenant, "staff")
            page.until(lambda: links_of(page) == ["Ask", "Documents", "API"])
            page.until(lambda: "not shown to your key" in page.text())
            assert "communities." not in page.text()
            for place in ("jobs", "communities"):
                page.open(place)
                assert "restricts documents to groups" in page.find("[role=alert]")[0].text
            assert page.complaints() == []
        finally:
            world.platform.graph.run(FORGET)


def enter_as(page: ExplorePage, world: World, tenant: str, group: str) -> str:
    """Open the page with a new key for the documents of a group; return it."""
    key = ApiKeys(world.platform.graph).create(Grant("reader", (tenant,), ("read",), (group,))).key
    page.chrome.execute_script("sessionStorage.setItem('key', arguments[0])", key)
    page.chrome.refresh()
    page.until(lambda: "documents" in page.text())
    return key


def links_of(page: ExplorePage) -> list[str]:
    return [each.text for each in page.find("nav a") if each.is_displayed()]
