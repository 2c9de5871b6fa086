"""Maps names and ids, as people and programs give them, to the forms that decisions are about."""

import uuid
from collections.abc import Sequence

from interlace.domain.decisions import EntityForm
from interlace.domain.errors import InvalidInputError, NotFoundError
from interlace.domain.extraction import DECLARED_TYPES
from interlace.entities.normalization import normalize_name
from interlace.ports.graph import QueryRunner
from interlace.queries.gazetteer import entity_keys


def own_form(tenant: str, identity: str, keys: Sequence[str]) -> EntityForm | None:
    """Return the form among an entity's keys from which its id is derived; None if there is none."""
    forms = (EntityForm(key, kind) for key in keys for kind in ("", *sorted(DECLARED_TYPES)))
    return next((form for form in forms if form.id(tenant) == identity), None)


def form_of(runner: QueryRunner, tenant: str, name: str) -> EntityForm:
    """Return the form that a name, or the id of an entity, stands for.

    Raises:
        NotFoundError: there is no entity of this id.
        InvalidInputError: the name has no letter or digit, or the entity's id is derived from none of its forms.
    """
    try:
        identity = str(uuid.UUID(name))
    except ValueError:
        form = normalize_name(name)
        if not form:
            raise InvalidInputError(f"{name!r} is not a name: it has no letter or digit.") from None
        return EntityForm(form)
    rows = entity_keys(runner, tenant=tenant, ids=[identity])
    if not rows:
        raise NotFoundError(f"There is no entity {identity}; `interlace entities search NAME` finds entities by name.")
    found = own_form(tenant, identity, rows[0].keys)
    if found is None:
        raise InvalidInputError(f"The entity {identity} has short forms only; give a name instead of its id.")
    return found
