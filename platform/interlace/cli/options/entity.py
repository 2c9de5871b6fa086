"""Arguments that name an entity, by its id or by one of its names."""

import uuid
from contextlib import suppress

from interlace.domain.errors import NotFoundError, several_entities
from interlace.entities.repository import EntityRepository


def entity_id_of(repository: EntityRepository, tenant: str, name: str) -> str:
    """Return the id of an entity that is given by its id or by one of its names.

    Raises:
        NotFoundError: no entity has the id or the name.
        InvalidInputError: several have it.
    """
    with suppress(ValueError):
        return repository.get(tenant, str(uuid.UUID(name))).entity.id
    matches = repository.search(tenant, name, limit=5).matches
    found = [match.entity for match in matches if match.via in {"exact", "alias"}]
    if not found:
        raise NotFoundError(f"No entity is called {name}; `interlace entities search` finds similar names.")
    if len(found) > 1:
        raise several_entities(name, [(entity.id, entity.name, entity.type) for entity in found])
    return found[0].id
