"""Stops the stack, including the orphans of a killed supervisor."""

from interlace.settings import Settings
from interlace_stack.fetch import Progress
from interlace_stack.layout import Layout, layout_of
from interlace_stack.locks import locked
from interlace_stack.processes import end, members, process_of, read_record
from interlace_stack.programs import ALL, proofs
from interlace_stack.supervision import Supervisor

# The sum of the programs' stopwaitsecs would be longer; in practice each needs a few seconds.
DOWN_SECONDS = 240.0
_ORPHAN_SECONDS = 90.0


def down(settings: Settings, *, progress: Progress = lambda _sentence: None) -> tuple[str, ...]:
    """Stop every process of the stack and return the names of those that ran; it is no error if none did.

    Data, logs and credentials stay.

    Raises:
        StackError: the stack's folder cannot be used.
    """
    layout = layout_of(settings)
    if not layout.root.exists():
        return ()
    layout.prepare()
    with locked(layout.lock_file, waiting=lambda: progress("waiting for another `interlace up` or `down`")):
        running = tuple(name for name, program in Supervisor(layout).programs().items() if program.alive)
        if running:
            progress(f"stopping {', '.join(reversed(running))}")
        orphans = stop_everything(layout, timeout=DOWN_SECONDS)
        return tuple(name for name in ALL if name in {*running, *orphans})


def stop_everything(layout: Layout, *, timeout: float) -> tuple[str, ...]:
    """Stop supervisor and programs, then orphans, and return the names of the orphans.

    Args:
        layout: the stack.
        timeout: seconds to wait for an orderly exit before processes are killed.
    """
    if not Supervisor(layout).shutdown(timeout=timeout):
        _end_supervisor(layout)
    orphans = end_orphans(layout)
    _remove_run_files(layout)
    return orphans


def end_orphans(layout: Layout) -> tuple[str, ...]:
    """End programs of this stack that have no supervisor, and return their names.

    A process is ended only if its id and start time are those on record and its command line proves that it belongs to the stack.
    """
    # First the supervisor, if there is one that does not answer: it would restart its programs.
    _end_supervisor(layout)
    ended = []
    # The watchdog and the applications end before the servers that they use.
    for name, proof in reversed(proofs(layout).items()):
        record = read_record(layout.run, name)
        processes = members(record, proof) if record is not None else []
        if processes:
            end(processes, timeout=_ORPHAN_SECONDS)
            ended.append(name)
    return tuple(ended)


def _end_supervisor(layout: Layout) -> None:
    supervisor = process_of(layout.supervisor_pid, str(layout.supervisor_conf))
    if supervisor is not None:
        end([supervisor], timeout=_ORPHAN_SECONDS)


def _remove_run_files(layout: Layout) -> None:
    """Remove what is needed only while the stack runs; the environments of the child processes contain secrets."""
    for path in layout.run.iterdir():
        path.unlink()
