"""URLs that open Neo4j Browser with Cypher in its editor and the connection filled in, except for secrets."""

from urllib.parse import quote, urlencode, urlsplit

from interlace.settings import Neo4jSettings

# Neo4j Browser decodes its URL before it splits the parameters. Cypher accepts these escapes anywhere.
_ESCAPES = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "&#"})


def browser_link(neo4j: Neo4jSettings, cypher: str = "") -> str:
    """Return a URL of Neo4j Browser that fills in the database's address and user, never a password.

    Args:
        neo4j: the addresses of the Browser and the database; without the Browser's there is no link.
        cypher: query to open in the editor without running it; empty for the Browser alone.
    """
    if not neo4j.browser_url:
        return ""
    server = urlsplit(neo4j.uri)
    fields = {"connectURL": f"{server.scheme}://{quote(neo4j.user, safe='')}@{server.netloc.rpartition('@')[2]}"}
    if cypher:
        fields |= {"cmd": "edit", "arg": cypher.translate(_ESCAPES)}
    return f"{neo4j.browser_url}?{urlencode(fields, quote_via=quote)}"
