"""``interlace documents enrich`` and ``pending``: extraction by a language model, what waits for it, and what it took."""

from datetime import timedelta
from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, in_tenant, print_json, print_table
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.cli.waiting import counted
from interlace.domain.errors import InvalidInputError
from interlace.enrichment.overview import Enrichment


def enrich(
    pause: Annotated[
        bool, typer.Option("--pause", help="Pause extraction and summaries; calls in progress finish.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume after a pause.")] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a language model read the chunks that it has not read: those ingested before it was configured, or read by another model or schema."""
    if pause and resume:
        raise InvalidInputError("Give --pause or --resume, not both.")
    with platform_for(tenant) as (platform, name):
        if pause or resume:
            state = platform.enrichment.pause(name) if pause else platform.enrichment.resume(name)
            _show(state, name, as_json=as_json)
            return
        receipt = platform.enrichment.enrich(name)
    if as_json:
        print_json(receipt)
        return
    waiting = f"{counted(receipt.chunks, 'chunk', 'chunks')} of {counted(receipt.documents, 'document', 'documents')} wait for the model."
    how = f"`interlace jobs show {receipt.job_id} --follow` watches, `interlace documents pending` says why any wait."
    write_line(in_tenant(f"{waiting} {how}", name))


def pending(tenant: TenantOption = None, as_json: JsonOption = False) -> None:
    """Show what waits for a language model and why, documents as well as summaries, and the tokens and price of the last 30 days."""
    with platform_for(tenant) as (platform, name):
        state = platform.enrichment.state(name)
    _show(state, name, as_json=as_json)


def _show(state: Enrichment, tenant: str, *, as_json: bool) -> None:
    if as_json:
        print_json(state)
        return
    model = state.model or "no language model (INTERLACE_LLM__MODEL and INTERLACE_LLM__EXTRACTION name one)"
    paused = ", paused: `interlace documents enrich --resume` goes on" if state.paused else ""
    write_line(in_tenant(f"{model}{paused}", tenant))
    write_line(
        f"{counted(state.chunks, 'chunk waits', 'chunks wait')} in {counted(state.documents, 'document', 'documents')}."
    )
    if state.waiting:
        print_table(
            ("documents", "chunks", "due in", "reason"),
            [
                (each.documents, each.chunks, _due(each.due), each.reason or "taken up next, or being read")
                for each in state.waiting
            ],
        )
    if (texts := state.summaries) is not None:
        write_line("")
        print_table(
            ("summaries and descriptions", "due in", "reason"),
            [
                (
                    "all" if texts.left is None else texts.left,
                    _due(texts.due),
                    texts.reason or "taken up next, or being written",
                )
            ],
        )
    if state.usage:
        write_line("")
        print_table(
            ("day", "model", "tokens", "price in $", "answers"),
            [(each.day, each.model, f"{each.tokens:,}", f"{each.cost:.4f}", f"{each.calls:,}") for each in state.usage],
        )


def _due(seconds: float) -> timedelta:
    return timedelta(seconds=round(seconds))
