"""``/v1/enrichment``: extraction by a language model, what waits for it, and what it took."""

from fastapi import APIRouter, Response

from interlace.api.dependencies import PlatformDep, Tenant
from interlace.api.problems import RESPONSES
from interlace.api.scopes import UNSHOWN, CallerOf, for_readers, requires
from interlace.enrichment.overview import Enrichment, EnrichReceipt

router = APIRouter(prefix="/v1/enrichment", tags=["documents"], responses=RESPONSES)


@router.get("", dependencies=[requires("read")])
def show_enrichment(platform: PlatformDep, tenant: Tenant) -> Enrichment:
    """Return what waits for the language model and why, and the tokens and price of the last 30 days by model."""
    return platform.enrichment.state(tenant)


@router.post("", status_code=202, dependencies=[requires("ingest")])
def enrich_documents(platform: PlatformDep, tenant: Tenant, caller: CallerOf) -> EnrichReceipt:
    """Let the language model read every chunk that it has not read; a job follows it."""
    return platform.enrichment.enrich(tenant, caller.key_id)


@router.post("/pause", response_model=Enrichment, responses=UNSHOWN, dependencies=[requires("ingest")])
def pause_enrichment(platform: PlatformDep, tenant: Tenant, caller: CallerOf) -> Enrichment | Response:
    """Pause extraction and summaries; calls in progress finish. What waits is shown to keys with the scope `read`."""
    state = platform.enrichment.pause(tenant)
    return for_readers(caller, lambda: state)


@router.post("/resume", response_model=Enrichment, responses=UNSHOWN, dependencies=[requires("ingest")])
def resume_enrichment(platform: PlatformDep, tenant: Tenant, caller: CallerOf) -> Enrichment | Response:
    """Resume after a pause. What waits is shown to keys with the scope `read`."""
    state = platform.enrichment.resume(tenant)
    return for_readers(caller, lambda: state)
