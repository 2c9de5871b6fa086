"""Full-text look-ups answer for one tenant, whatever other tenants' names share with its own."""

import pytest
from tests.integration.ingestion_world import World

from interlace.cypher_files import query
from interlace.entities.repository import EntityRepository
from interlace.text.lucene import all_of, in_fields, in_tenant

pytestmark = pytest.mark.stack


def test_a_tenant_whose_name_shares_a_word_takes_no_place_of_a_limit(world: World, tenant: str) -> None:
    other = f"{tenant}-b"
    try:
        world.ingest(tenant, {"art.md": "# Halvorsen Museum of Modern Art\n\nIt opened in 1927.\n"})
        world.ingest(other, {f"{n}.md": f"# Halvorsen Museum ({n})\n\nIt closed.\n" for n in range(5)})
        search = in_tenant(tenant, in_fields(("name", "aliases"), all_of(("halvorsen", "museum"))))
        found = world.platform.graph.run(query("gazetteer/partial_aliases"), tenant=tenant, searches=[search], limit=1)
        assert [row["name"] for row in found] == ["Halvorsen Museum of Modern Art"]
        matches = EntityRepository(world.platform.graph).search(tenant, "Halvorsen Museum", limit=1).matches
        assert [match.entity.name for match in matches] == ["Halvorsen Museum of Modern Art"]
    finally:
        world.clear(other)
