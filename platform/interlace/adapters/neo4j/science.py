"""A handle to Graph Data Science for notebooks, on the database that the platform uses."""

import neo4j
from graphdatascience import GraphDataScience

from interlace.adapters.neo4j.connection import open_driver
from interlace.settings import Neo4jSettings


class OwnedGraphDataScience(GraphDataScience):
    """The client with a driver of its own: the original does not close a driver that it was given."""

    def __init__(self, driver: neo4j.Driver, database: str) -> None:
        self._owned = driver
        super().__init__(driver, database=database, arrow=False)

    def close(self) -> None:
        """Close client and driver."""
        super().close()
        self._owned.close()


def graph_data_science(settings: Neo4jSettings) -> GraphDataScience:
    """Return the Graph Data Science client for the configured database; the caller closes it.

    Raises:
        SettingsError: the address cannot be one of a Neo4j server.
    """
    driver = open_driver(settings)
    try:
        return OwnedGraphDataScience(driver, settings.database)
    except BaseException:
        driver.close()
        raise
