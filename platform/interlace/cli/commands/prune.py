"""``interlace ingest --prune``: removes the documents of folders whose files are gone, after showing which."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from interlace.cli.commands.communities import REFRESH_STOPPED, refresh_with_retry
from interlace.cli.output import say
from interlace.cli.waiting import counted, interruptible, wait_for
from interlace.domain.errors import InvalidInputError
from interlace.domain.ids import document_id

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.documents.folders import VanishedDocument
    from interlace.jobs.service import JobStatus

_SHOWN = 50


def check_prune(*, wait: bool, dry_run: bool, yes: bool) -> None:
    """Refuse what cannot be pruned, before anything is read.

    Raises:
        InvalidInputError: a renamed document is removed only when its successor is ready, so the command must wait; and where there is no
            terminal to ask at, ``--yes`` must say it.
    """
    if dry_run:
        return
    if not wait:
        raise InvalidInputError("--prune removes documents when the others are ready; leave out --no-wait.")
    if not (yes or sys.stdin.isatty()):
        raise InvalidInputError(
            "This would remove the documents whose files are gone; --dry-run shows which, and --yes does it without asking."
        )


def show_vanished(vanished: "Sequence[VanishedDocument]") -> None:
    """Print which documents have lost their files, and where those that were renamed are now."""
    for document in vanished[:_SHOWN]:
        where = f"renamed: now {document.renamed_to}" if document.renamed_to else "gone from its folder"
        say(f"{document.source_uri}: {where}")
    if len(vanished) > _SHOWN:
        say(f"… and {len(vanished) - _SHOWN:,} further documents; --dry-run --json lists them all.")


def prune(
    platform: "Platform", tenant: str, vanished: "Sequence[VanishedDocument]", *, yes: bool, quiet: bool
) -> "JobStatus | None":
    """Show the documents that have lost their files, ask, and remove them; a renamed one leaves its labels to its successor.

    Returns:
        The last state of the job that removed them; None if there was nothing to remove.

    Raises:
        Abort: whoever was asked said no; the documents stay.
    """
    if not vanished:
        return None
    show_vanished(vanished)
    if not yes:
        typer.confirm(f"Remove {counted(len(vanished), 'document', 'documents')} of tenant {tenant}?", abort=True)
    renamed = {each.id: document_id(tenant, each.renamed_to) for each in vanished if each.renamed_to}
    taken = platform.labels.carry(tenant, renamed) if renamed else set()
    ids = [each.id for each in vanished if each.id not in renamed or each.id in taken]
    if waiting := len(vanished) - len(ids):
        say(f"{counted(waiting, 'renamed document stays', 'renamed documents stay')} until the new one is ready.")
    if not ids:
        return None
    return settled(platform, tenant, platform.receiver.delete(tenant, ids=ids).job_id, quiet=quiet)


def settled(platform: "Platform", tenant: str, job_id: str, *, quiet: bool) -> "JobStatus":
    """Wait until a job that deletes has left nothing, and return its last state."""
    status = wait_for(platform.jobs, tenant, job_id, workers=platform.queue.workers, quiet=quiet)
    # The graph no longer has the documents; their points, which no search returns, are deleted now, and by
    # the sweep those that another batch is writing.
    while platform.outbox.dispatch(tenant):
        pass
    with interruptible(REFRESH_STOPPED, tenant):
        refresh_with_retry(platform, tenant)
    return status
