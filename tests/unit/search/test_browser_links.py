"""Addresses of Neo4j Browser: what they fill in, and how Cypher gets through the way that the Browser reads its address."""

import re
from urllib.parse import unquote

from pydantic import SecretStr

from interlace.search.browser_links import browser_link
from interlace.settings import Neo4jSettings

NEO4J = Neo4jSettings(
    uri="neo4j://graph.example:7688",
    user="ann@home",
    password=SecretStr("hidden"),
    browser_url="https://graph.example/browser/",
)


def read(address: str, name: str) -> str:
    """Return a parameter as Neo4j Browser reads it: it decodes the whole address first."""
    (found,) = re.findall(rf"[?&]{name}=([^&#]*)", unquote(address.replace("+", " ")))
    return str(found)


def test_address_and_user_are_filled_in_and_the_password_never_is() -> None:
    address = browser_link(NEO4J)
    assert unquote(address) == "https://graph.example/browser/?connectURL=neo4j://ann%40home@graph.example:7688"
    assert "hidden" not in browser_link(NEO4J.model_copy(update={"uri": "bolt://neo4j:hidden@graph.example:7687"}))


def test_cypher_arrives_as_it_was() -> None:
    address = browser_link(NEO4J, "MATCH (n)-->(m)\nWHERE n.name = 'R&D #1 100% 1+1' RETURN n")
    assert read(address, "cmd") == "edit"
    assert read(address, "arg") == "MATCH (n)-->(m)\nWHERE n.name = 'R\\u0026D \\u00231 100% 1+1' RETURN n"


def test_without_a_browser_there_is_no_link() -> None:
    assert browser_link(NEO4J.model_copy(update={"browser_url": ""}), "RETURN 1") == ""
