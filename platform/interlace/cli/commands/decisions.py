"""``interlace entities merge | different | split | undo | history``: decisions about entities."""

import getpass
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Final

import typer

from interlace.cli.output import JsonOption, TenantOption, in_tenant, print_json, print_table, say
from interlace.cli.session import platform_for
from interlace.cli.waiting import counted
from interlace.domain.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from interlace.decisions.service import DecisionRequest, DecisionService
    from interlace.domain.decisions import DecisionKind
    from interlace.entities.candidates import Candidates, MergeCandidate
    from interlace.entities.decision_records import PastDecision
    from interlace.ports.graph import GraphDatabase

_OVERRULED = (
    "It has no effect as long as a decision stands that it contradicts; `interlace entities history` shows both."
)
_KINDS: "Final[dict[str, DecisionKind]]" = {"y": "same", "n": "different"}
Names = Annotated[list[str], typer.Argument(help="Names, or ids of entities; two or more.", show_default=False)]
Note = Annotated[str, typer.Option("--note", help="Why.", show_default=False)]
By = Annotated[str, typer.Option("--by", help="Who decides.", show_default="your user name")]


def register(group: typer.Typer) -> None:
    """Add the commands to the group ``entities``."""
    for command in (candidates, merge, different, split, undo):
        group.command()(command)
    group.command("history")(list_history)


def merge(names: Names, note: Note = "", by: By = "", tenant: TenantOption = None, as_json: JsonOption = False) -> None:
    """Decide that names are one entity, also in future documents."""
    from interlace.decisions.service import DecisionRequest

    _decide(DecisionRequest("same", names, note=note), by, tenant, as_json=as_json)


def different(
    names: Names, note: Note = "", by: By = "", tenant: TenantOption = None, as_json: JsonOption = False
) -> None:
    """Decide that no two of these names are ever one entity, whatever a rule says."""
    from interlace.decisions.service import DecisionRequest

    _decide(DecisionRequest("different", names, note=note), by, tenant, as_json=as_json)


def split(
    name: Annotated[str, typer.Argument(help="An ambiguous name.", show_default=False)],
    meaning: Annotated[str, typer.Argument(help="What it means in the documents.", show_default=False)],
    document: Annotated[list[str], typer.Option("--document", help="A document's id or source URI; may be repeated.")],
    note: Note = "",
    by: By = "",
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide that a name means another entity in some documents, for example 'Mercury' 'Mercury (planet)'."""
    from interlace.decisions.service import DecisionRequest

    _decide(DecisionRequest("split", [name], meaning, document, note=note), by, tenant, as_json=as_json)


def undo(
    decision: Annotated[str, typer.Argument(help="The decision's id; `history` lists them.", show_default=False)],
    note: Note = "",
    by: By = "",
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Undo a decision: the graph becomes what it would be without it."""
    with _decision_service(by, tenant) as (service, whose):
        service.undo(whose, decision, note)
    if as_json:
        print_json({"undone": decision})
    else:
        say(f"undone: {decision}")


def list_history(
    name: Annotated[str, typer.Argument(help="Only decisions about this name.", show_default=False)] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of results.")] = 100,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """List decisions, newest first, including undone ones."""
    with _decision_service("", tenant) as (service, whose):
        found = service.history(whose, name, limit)
    if as_json:
        print_json(found)
        return
    print_table(("id", "decision", "by", "at", "undone", "why"), map(_row, found))


def candidates(
    entity: Annotated[str, typer.Argument(help="Only those of this entity, by id or name.", show_default=False)] = "",
    limit: Annotated[
        int, typer.Option(min=1, max=100, help="Pairs to return; those of the last entity are complete.")
    ] = 20,
    after: Annotated[str, typer.Option(help="Continue after this id, which the previous page gave.")] = "",
    by: By = "",
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show pairs of entities that may be the same, side by side; in a terminal decide with y (same), n (different), s (skip), u (undo), q."""
    from interlace.cli.options.entity import entity_id_of
    from interlace.entities.candidates import CandidatePage, Candidates
    from interlace.entities.repository import EntityRepository

    with _decision_service(by, tenant) as (service, whose):
        found = Candidates(service.graph, whose)
        if entity:
            page = CandidatePage(found.of(entity_id_of(EntityRepository(service.graph), whose, entity), limit=limit))
        else:
            page = found.queue(after=after, limit=limit)
        if as_json:
            print_json(page)
            return
        _decide_all(service, whose, found, page.candidates)
    if page.after:
        say(f"more: --after {page.after}")


def _decide_all(
    service: "DecisionService", tenant: str, candidates: "Candidates", pairs: "Sequence[MergeCandidate]"
) -> None:
    """Show each pair, and ask about it where a person sits at the terminal; those that a merge has overtaken are passed over."""
    from interlace.decisions.service import DecisionRequest

    made: list[tuple[int, str]] = []
    place = 0
    while place < len(pairs):
        pair = pairs[place]
        if made and not candidates.exist(pair):
            say(f"passed over: {pair.one.name} and {pair.other.name}, because one of them is merged by now")
            place += 1
            continue
        print_table(("score", f"{pair.score:.2f}", ""), _sides(pair))
        key = _key(undo=bool(made)) if sys.stdin.isatty() else "s"
        if key == "q":
            return
        if key == "u":
            place, undone = made.pop()
            service.undo(tenant, undone)
            say("The last decision is undone; here is its pair again.")
            continue
        if key in _KINDS:
            seen = "; ".join(f"{name} {value:.2f}" for name, value in pair.signals.items() if value)
            decision_id = service.decide(tenant, DecisionRequest(_KINDS[key], (pair.one.id, pair.other.id), seen=seen))
            made.append((place, decision_id))
            if (decision := service.standing(tenant, decision_id)) and decision.overruled:
                say(in_tenant(_OVERRULED, tenant))
        place += 1


def _key(*, undo: bool) -> str:
    """Wait for a key that means something: any other is likely a slip, and would skip the pair."""
    question = f"same entity? [y]es, [n]o, [s]kip, {'[u]ndo the last, ' if undo else ''}[q]uit"
    key = ""
    while key not in {"y", "n", "s", "u", "q"} or (key == "u" and not undo):
        if key == "u":
            say("nothing has been decided yet")
        say(question)
        key = typer.getchar().lower()
    return key


def _sides(pair: "MergeCandidate") -> list[tuple[object, object, object]]:
    rows: list[tuple[object, object, object]] = [
        ("name", pair.one.name, pair.other.name),
        ("type", pair.one.type, pair.other.type),
        ("also called", ", ".join(pair.one.aliases[:5]), ", ".join(pair.other.aliases[:5])),
        ("mentions", pair.one.mentions, pair.other.mentions),
    ]
    rows += [("sentence", *both) for both in zip_longest(pair.one.sentences, pair.other.sentences, fillvalue="")]
    return [*rows, *((f"· {name}", f"{value:.2f}", "") for name, value in pair.signals.items())]


def _row(past: "PastDecision") -> tuple[object, ...]:
    made = past.decision
    sign = {"same": " = ", "different": " ≠ ", "split": " "}[made.kind]
    what = sign.join(form.form for form in made.forms)
    if made.meaning:
        what += f" = {made.meaning.form} in {counted(len(made.documents), 'document', 'documents')}"
    undone = f"{past.undone_at} by {past.undone_by}" if past.undone_at else "no, but overruled" * past.overruled
    if past.passed_over:
        undone = f"no, but {_elsewhere(len(past.passed_over), len(made.documents))}"
    return (
        past.id,
        what,
        made.author.name,
        made.created_at,
        undone,
        "; ".join(filter(None, (made.note, past.undo_note))),
    )


def _elsewhere(passed_over: int, documents: int) -> str:
    return f"in {passed_over} of {counted(documents, 'document', 'documents')} another split decides"


def _decide(request: "DecisionRequest", by: str, tenant: str | None, *, as_json: bool) -> None:
    with _decision_service(by, tenant) as (service, whose):
        unknown = [] if as_json else list(_unknown(service.graph, whose, request))
        decision_id = service.decide(whose, request)
        made = service.standing(whose, decision_id)
    overruled, passed_over = (made.overruled, made.passed_over) if made else (False, ())
    if as_json:
        print_json({"id": decision_id, "overruled": overruled, "passed_over": passed_over})
    else:
        for what in unknown:
            say(f"There is {what} yet; the decision will apply to it once it is there.")
        if overruled:
            say(in_tenant(_OVERRULED, whose))
        if passed_over:
            elsewhere = _elsewhere(len(passed_over), len(request.documents))
            say(in_tenant(f"But {elsewhere}; `interlace entities history` shows both.", whose))
        say(in_tenant(f"decided; `interlace entities undo {decision_id}` takes it back", whose))


def _unknown(graph: "GraphDatabase", tenant: str, request: "DecisionRequest") -> Iterator[str]:
    """Yield the entities and documents of a decision that are not there: names may be misspelt, or documents still to come."""
    from interlace.cli.options.entity import entity_id_of
    from interlace.documents.repository import DocumentRepository
    from interlace.entities.repository import EntityRepository

    for name in request.names:
        try:
            entity_id_of(EntityRepository(graph), tenant, name)
        except NotFoundError:
            yield f"no entity {name}"
        except InvalidInputError:
            continue  # several entities have the name
    for document in request.documents:
        try:
            DocumentRepository(graph).named(tenant, document)
        except NotFoundError:
            yield f"no document {document}"


@contextmanager
def _decision_service(by: str, tenant: str | None) -> "Iterator[tuple[DecisionService, str]]":
    from interlace.decisions.service import DecisionService
    from interlace.domain.decisions import Author

    with platform_for(tenant) as (platform, whose):
        author = Author(by or getpass.getuser())
        yield DecisionService(platform.graph, platform.decisions, author), whose
