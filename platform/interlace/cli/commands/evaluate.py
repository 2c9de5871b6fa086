"""``interlace eval``: known questions over a known corpus, through ordinary ingestion and search."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from interlace.cli.commands.communities import refresh_with_retry
from interlace.cli.commands.query import BoostOption, WithoutOption
from interlace.cli.options.choices import choices
from interlace.cli.output import JsonOption, file_to_write, print_json, say, settings_for
from interlace.cli.views.evaluation import show_comparison, show_evaluation
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import OPTIONAL_BOOSTS, SIGNALS, Mode, QueryRequest
from interlace.evaluation.collection import load_collection

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.evaluation.runner import Evaluation
    from interlace.evaluation.session import EvaluationSession
    from interlace.jobs.service import JobStatus

_FOLDER = "folder"


class _FolderOrCommand(TyperGroup):
    """Reads ``interlace eval FOLDER`` as ``interlace eval folder FOLDER``."""

    default_command = _FOLDER

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named or not args else [self.default_command, *args])


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(cls=_FolderOrCommand, no_args_is_help=True, help="Evaluate retrieval on known questions.")
    group.command(_FOLDER)(evaluate)
    group.command()(compare)
    app.add_typer(group, name="eval")


def evaluate(
    folder: Annotated[
        Path, typer.Argument(help="Folder with corpus.jsonl, queries.jsonl and qrels.tsv (BEIR layout).")
    ],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the report to this file.")] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Write one JSON line per question to this file, for `interlace eval compare`.")
    ] = None,
    runs: Annotated[Path | None, typer.Option(help="Write one TREC run file per leg to this folder.")] = None,
    mode: Annotated[Mode, typer.Option(help="Which legs may answer.")] = "auto",
    without: WithoutOption = None,
    boost: BoostOption = None,
    guard: Annotated[
        bool,
        typer.Option(
            "--guard",
            help="Fail if the fused list is significantly below the best leg at 1, 2, 5 or 10, or below the baseline.",
        ),
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option(help="Questions of an earlier run (--questions) that the fused list must not fall below."),
    ] = None,
    exact_agreement: Annotated[
        bool,
        typer.Option("--exact-agreement", help="Also measure how far approximate search agrees with exact search."),
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the ingested corpus for --reuse.")] = False,
    reuse: Annotated[bool, typer.Option("--reuse", help="Use the corpus that --keep kept; implies --keep.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Take only the first documents.")] = None,
    floor: Annotated[bool, typer.Option(help="Also measure the models alone on the same text.")] = True,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers", help="Also answer the questions, and again after their relevant documents were deleted."
        ),
    ] = False,
) -> None:
    """Ingest a corpus into a tenant of its own, ask every question, and report each leg and the fused list."""
    from interlace.bootstrap import Platform
    from interlace.evaluation.guard import read_baseline, shortfalls
    from interlace.evaluation.session import RunOptions

    if baseline and not guard:
        raise InvalidInputError("--baseline says what --guard must not fall below; give both.")
    for file in filter(None, (json_file, questions)):
        file_to_write(file, force=True, devices=True)
    collection = load_collection(folder)
    template = QueryRequest(
        text="",
        mode=mode,
        without=frozenset(choices("--without", without, SIGNALS)),
        boosts=frozenset(choices("--boost", boost, OPTIONAL_BOOSTS)),
    )
    marks = read_baseline(baseline) if baseline else None
    platform = Platform.open(settings_for(collection.tenant))
    try:
        result = evaluation_session(platform).run(
            collection,
            RunOptions(
                template,
                keep=keep,
                reuse=reuse,
                limit=limit,
                floor=floor,
                exact_agreement=exact_agreement,
                answers=answers,
            ),
        )
    finally:
        platform.close()
    show_evaluation(result)
    _write(result, json_file=json_file, questions=questions, runs=runs)
    fallen = shortfalls(collection.name, result.rows(), marks) if guard else []
    for sentence in fallen:
        say(f"guard: {sentence}")
    if fallen:
        raise typer.Exit(1)


def evaluation_session(platform: "Platform") -> "EvaluationSession":
    """Return a session that shows its progress in the terminal."""
    from interlace.bootstrap import Platform
    from interlace.cli.waiting import describe, wait_for
    from interlace.evaluation.session import EvaluationSession

    def follow(tenant: str, job_id: str) -> "JobStatus":
        status = wait_for(platform.jobs, tenant, job_id, workers=platform.queue.workers)
        if status.kind != "delete":
            say(describe(status))
        return status

    def refresh(tenant: str) -> float:
        return refresh_with_retry(platform, tenant, fresh=True).seconds

    return EvaluationSession(platform, Platform.open, follow, refresh, say)


def compare(
    first: Annotated[Path, typer.Argument(help="File that `interlace eval FOLDER --questions` wrote.")],
    second: Annotated[Path, typer.Argument(help="The same of another run over the same questions.")],
    leg: Annotated[str, typer.Option(help="Whose rankings to compare: fused, or a leg.")] = "fused",
    as_json: JsonOption = False,
) -> None:
    """Compare two runs question by question: differences, wins, losses, and the two-sided sign test."""
    from interlace.evaluation.comparison import compare_runs, read_questions

    compared = compare_runs(read_questions(first), read_questions(second), leg)
    if as_json:
        print_json(compared)
    else:
        show_comparison(compared)


def _write(result: "Evaluation", *, json_file: Path | None, questions: Path | None, runs: Path | None) -> None:
    import orjson

    from interlace.evaluation.measures import write_trec

    if json_file:
        json_file.write_bytes(orjson.dumps(result.report(), option=orjson.OPT_INDENT_2))
    if questions:
        questions.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in result.by_question()))
    if runs:
        runs.mkdir(parents=True, exist_ok=True)
        for leg, run in result.runs.items():
            write_trec(runs / f"{leg}.trec", leg, run)
