"""``/v1/atoms/search``, and ``/v1/pack`` with its alias ``/v1/fold``: knowledge atoms, and packing into a token budget."""

from fastapi import APIRouter

from interlace.api.dependencies import PlatformDep, ReaderTenant
from interlace.api.problems import RESPONSES
from interlace.api.schemas.atoms import AtomSearchBody, PackBody
from interlace.api.scopes import requires
from interlace.domain.atoms import AtomResponse
from interlace.domain.packing import Pack

router = APIRouter(prefix="/v1", tags=["atoms"], responses=RESPONSES, dependencies=[requires("read")])


@router.post("/atoms/search")
def search_atoms(body: AtomSearchBody, platform: PlatformDep, tenant: ReaderTenant) -> AtomResponse:
    """Return the knowledge atoms that answer best, each with what every term found in which field.

    Without embeddings, or when the vector index does not answer (`degraded`), the terms decide alone.
    """
    return platform.atoms.search(tenant, body.to_domain())


@router.post("/pack")
@router.post("/fold", include_in_schema=False)
def pack_items(body: PackBody, platform: PlatformDep) -> Pack:
    """Pack texts into a token budget by score, category and epistemic status; each says why it was taken or left."""
    items = [item.to_domain() for item in body.items]
    return platform.packer.pack(items, body.to_domain())
