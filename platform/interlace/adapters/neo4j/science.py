"""A handle to Graph Data Science for notebooks, on the database that the platform uses."""

from graphdatascience import GraphDataScience

from interlace.adapters.neo4j.connection import open_driver
from interlace.settings import Neo4jSettings


def graph_data_science(settings: Neo4jSettings) -> GraphDataScience:
    """Return the Graph Data Science client over the configured database; its caller closes it.

    Raises:
        SettingsError: the address cannot be one of a Neo4j server.
    """
    return GraphDataScience(open_driver(settings), database=settings.database, arrow=False)
