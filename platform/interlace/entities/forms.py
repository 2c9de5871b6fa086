"""Maps names and ids, as people and programs give them, to the forms that decisions are about."""

import uuid
from collections.abc import Sequence
from typing import Final

from interlace.domain.decisions import EntityForm
from interlace.domain.errors import InvalidInputError, no_entity, several_entities
from interlace.domain.extraction import DECLARED_TYPES
from interlace.entities.evidence import decode
from interlace.entities.identities import Identities
from interlace.entities.normalization import normalize_name
from interlace.entities.repository import name_search
from interlace.ports.graph import QueryRunner
from interlace.queries.entities import entity_search, read_entities
from interlace.queries.gazetteer import entity_keys

_MAX_NAMED: Final = 50


def own_form(identities: Identities, entity_id: str, keys: Sequence[str]) -> EntityForm | None:
    """Return the form from which an entity's id is derived: one of its keys, or one that only decisions name; None if there is none."""
    forms = (EntityForm(key, kind) for key in keys for kind in ("", *sorted(DECLARED_TYPES)))
    found = next((form for form in forms if form.id(identities.tenant) == entity_id), None)
    return found or identities.form_of(entity_id)


def form_of(runner: QueryRunner, identities: Identities, name: str) -> EntityForm:
    """Return the form that a name, or the id of an entity, stands for.

    Raises:
        NotFoundError: there is no entity of this id.
        InvalidInputError: the name has no letter or digit, or the entity's id is derived from none of its forms.
    """
    try:
        entity_id = str(uuid.UUID(name))
    except ValueError:
        form = normalize_name(name)
        if not form:
            raise InvalidInputError(f"{name!r} is not a name: it has no letter or digit.") from None
        return EntityForm(form)
    rows = entity_keys(runner, tenant=identities.tenant, ids=[entity_id])
    if not rows:
        raise no_entity(entity_id)
    found = own_form(identities, entity_id, rows[0].keys)
    if found is None:
        raise InvalidInputError(f"The entity {entity_id} has short forms only; give a name instead of its id.")
    return found


def joined_forms(runner: QueryRunner, identities: Identities, name: str) -> set[EntityForm]:
    """Return the forms that are joined where a name, or the id of an entity, is said to be the same as another.

    These are its own form and, if no text has an entity of this form, that of the entity that has the name as an alias and is not kept apart
    from it. No other decision changes them: repeated, a decision is the same one.

    Raises:
        NotFoundError: there is no entity of this id.
        InvalidInputError: as ``form_of``, or the name is an alias of several entities.
    """
    form, tenant = form_of(runner, identities, name), identities.tenant
    if form.form != normalize_name(name):
        return {form}  # it is an id
    found = entity_search(runner, tenant=tenant, search=name_search(tenant, name), types=[], limit=_MAX_NAMED)
    apart = identities.not_meant.get(form.form, ())
    holders = {row.id: row for row in found if form.form in (row.keys or ()) and row.id not in apart}
    origins = {
        item.origin or row.id: row
        for row in read_entities(runner, tenant=tenant, ids=sorted(holders))
        for item in decode(row.evidence)
        if form.form in item.keys
    }
    if form.id(tenant) in origins:
        return {form}
    if len(holders) > 1:
        raise several_entities(name, [(row.id, row.name, row.type) for row in holders.values()])
    named = (own_form(identities, origin, row.keys) for origin, row in origins.items())
    return {form, *(each for each in named if each)}
