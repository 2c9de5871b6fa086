"""Addresses that open Neo4j Browser with Cypher in its editor, and the connection filled in as far as it is no secret."""

from urllib.parse import quote, urlencode, urlsplit

from interlace.settings import Neo4jSettings

# Neo4j Browser decodes its address before it takes the parameters apart. Cypher reads these escapes anywhere.
_ESCAPES = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "&#"})


def browser_link(neo4j: Neo4jSettings, cypher: str = "") -> str:
    """Return an address of Neo4j Browser that fills in address and user, never a password.

    Args:
        neo4j: where the Browser and the database are; without an address of the Browser there is no link.
        cypher: opens in the editor, where it waits to be run; none for the Browser as it is.
    """
    if not neo4j.browser_url:
        return ""
    server = urlsplit(neo4j.uri)
    fields = {"connectURL": f"{server.scheme}://{quote(neo4j.user, safe='')}@{server.netloc.rpartition('@')[2]}"}
    if cypher:
        fields |= {"cmd": "edit", "arg": cypher.translate(_ESCAPES)}
    return f"{neo4j.browser_url}?{urlencode(fields, quote_via=quote)}"
