"""``interlace eval``: known questions over a known corpus, through the ordinary pipeline and coordinator."""

import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from interlace.cli.choices import choice, choices
from interlace.cli.communities import refresh_patiently
from interlace.cli.evaluation_view import show_comparison, show_evaluation
from interlace.cli.output import JsonOption, print_json, say, settings_for
from interlace.domain.errors import ConflictError, InvalidInputError, NotFoundError, ParseError
from interlace.domain.hits import MODES, SIGNALS, QueryRequest
from interlace.evaluation.collection import Collection, load_collection

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.domain.documents import Source
    from interlace.evaluation.floor import Texts
    from interlace.evaluation.runner import Evaluation

_FOLDER = "folder"
_models: dict[str, Any] = {}


class _FolderOrCommand(TyperGroup):
    """Takes ``interlace eval FOLDER`` for the evaluation of a folder, so that the plain way needs no second word."""

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
        Path | None, typer.Option(help="Write a JSON line a question to this file, for `interlace eval compare`.")
    ] = None,
    runs: Annotated[Path | None, typer.Option(help="Write one TREC run file a leg to this folder.")] = None,
    mode: Annotated[str, typer.Option(help=f"Which legs may answer: {', '.join(MODES)}.")] = "auto",
    without: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Leave out this leg or boost ({', '.join(SIGNALS)}); may be given again.", show_default=False
        ),
    ] = None,
    guard: Annotated[
        bool,
        typer.Option("--guard", help="Fail when fused is below the best leg at 2, 5 or 10, or below the baseline."),
    ] = False,
    baseline: Annotated[
        Path | None, typer.Option(help="Report of an earlier run (--json) that --guard must not fall below.")
    ] = None,
    exact_agreement: Annotated[
        bool,
        typer.Option("--exact-agreement", help="Also measure how far approximate search agrees with exact search."),
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the ingested corpus for --reuse.")] = False,
    reuse: Annotated[bool, typer.Option("--reuse", help="Use the corpus that --keep left; implies --keep.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Take only the first chunks.")] = None,
    floor: Annotated[bool, typer.Option(help="Also measure the models alone on the same text.")] = True,
) -> None:
    """Ingest a corpus into a space of its own, ask every question, and report each leg and the fused list."""
    from interlace.bootstrap import Platform
    from interlace.evaluation.guard import read_baseline, shortfalls

    if baseline and not guard:
        raise InvalidInputError("--baseline says what --guard must not fall below; give both.")
    collection = load_collection(folder)
    like = QueryRequest(
        text="", mode=choice("--mode", mode, MODES), without=frozenset(choices("--without", without, SIGNALS))
    )
    marks = read_baseline(baseline, collection.name) if baseline else None
    platform = Platform.open(settings_for(collection.tenant))
    try:
        result = run_collection(
            platform,
            collection,
            like=like,
            keep=keep,
            reuse=reuse,
            limit=limit,
            floor=floor,
            exact_agreement=exact_agreement,
        )
    finally:
        platform.close()
    show_evaluation(result)
    _write(result, json_file=json_file, questions=questions, runs=runs)
    fallen = shortfalls(collection.name, result.measures, marks) if guard else []
    for sentence in fallen:
        say(f"guard: {sentence}")
    if fallen:
        raise typer.Exit(1)


def compare(
    first: Annotated[Path, typer.Argument(help="File that `interlace eval FOLDER --questions` wrote.")],
    second: Annotated[Path, typer.Argument(help="The same of another run over the same questions.")],
    leg: Annotated[str, typer.Option(help="Whose rankings to compare: fused, or a leg.")] = "fused",
    as_json: JsonOption = False,
) -> None:
    """Compare two runs question by question: what the second gains, wins, losses, and the two-sided sign test."""
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


def run_collection(
    platform: "Platform",
    collection: Collection,
    *,
    like: QueryRequest | None = None,
    keep: bool = False,
    reuse: bool = False,
    limit: int | None = None,
    floor: bool = False,
    exact_agreement: bool = False,
) -> "Evaluation":
    """Ingest a collection, ask its questions and measure; the arguments are those of the command, ``like`` is how to ask.

    Raises:
        NotFoundError: nothing was kept to reuse.
        ConflictError: a chunk failed.
    """
    from interlace.evaluation.runner import ORDINARY
    from interlace.evaluation.runner import evaluate as ask_questions

    ingestion = {} if reuse else _ingest(platform, collection, limit=limit, floor=floor)
    if reuse and not platform.registries.current(collection.tenant).chunks:
        raise NotFoundError(f"Nothing was kept of {collection.name}; run without --reuse and with --keep first.")
    say(f"Asking {len(collection.queries)} questions")
    result = ask_questions(
        collection, lambda request: platform.questions.search(collection.tenant, request), like=like or ORDINARY
    )
    result.ingestion = ingestion
    if exact_agreement:
        result.agreement = _agreement(platform, collection)
    if not (keep or reuse):
        clear_collection(platform, collection)
    return result


def _ingest(platform: "Platform", collection: Collection, *, limit: int | None, floor: bool) -> dict[str, float]:
    from interlace.cli.waiting import describe, wait_for
    from interlace.parsing.sandbox.limits import ParseLimits
    from interlace.parsing.sources import find_sources

    clear_collection(platform, collection)
    limits = ParseLimits(max_bytes=platform.settings.ingest.max_bytes)
    sources = list(islice(find_sources([collection.corpus], limits=limits), limit))
    if errors := [source for source in sources if isinstance(source, ParseError)]:
        raise errors[0]
    figures: dict[str, float] = {}
    if floor:
        # Before the ingestion: after it, the workers make communities.
        say("Measuring the models alone on the same text")
        texts = [source for source in sources if not isinstance(source, ParseError)]
        figures["model_floor_seconds"] = round(_floor(platform, texts), 1)
    say(f"Ingesting {len(sources)} chunks of {collection.name} as tenant {collection.tenant}")
    started = time.perf_counter()
    receipt = platform.receiver.receive(collection.tenant, sources)
    status = wait_for(platform.jobs, collection.tenant, receipt.job_id)
    seconds = time.perf_counter() - started
    if status.failed:
        raise ConflictError(f"{status.failed} chunks failed, the first: {status.failures[0].message}")
    say(describe(status))
    figures |= {"chunks": float(status.ready), "seconds": round(seconds, 1)}
    if floor:
        figures["ratio"] = round(seconds / figures["model_floor_seconds"], 2)
    started = time.perf_counter()
    # Fresh: what workers made along the way depends on when they looked.
    refresh_patiently(platform, collection.tenant, fresh=True)
    figures["communities_seconds"] = round(time.perf_counter() - started, 1)
    return figures


def clear_collection(platform: "Platform", collection: Collection) -> None:
    """Remove a collection's documents, if any are there."""
    from interlace.cli.waiting import wait_for

    try:
        receipt = platform.receiver.delete(collection.tenant, everything=True)
    except NotFoundError:
        return
    wait_for(platform.jobs, collection.tenant, receipt.job_id)


def _floor(platform: "Platform", sources: "list[Source]") -> float:
    from interlace.evaluation.floor import measure_floor
    from interlace.parsing.chunking import chunk
    from interlace.parsing.registry import parse
    from interlace.parsing.sandbox.limits import ParseLimits

    limits = ParseLimits(max_bytes=platform.settings.ingest.max_bytes)
    words = platform.settings.ingest.chunk_words
    chunks = [part for source in sources for part in chunk(source.uri, parse(source, limits), words)]
    texts = [(part.text, f"{part.context}\n{part.text}") for part in chunks]
    return measure_floor(texts, platform.settings.worker.processes, run_models, load_models)


def load_models() -> None:
    """Load both models in a process of the floor's pool."""
    from interlace.bootstrap import Platform

    platform = Platform.open()
    _models["extractor"], _models["embedder"] = platform.extractor, platform.embedder


def run_models(texts: "Texts") -> float:
    """Run both models over texts and return the seconds."""
    started = time.perf_counter()
    _models["extractor"].run_pipeline([text for text, _ in texts])
    if _models["embedder"] is not None:
        _models["embedder"].embed_texts([text for _, text in texts])
    return time.perf_counter() - started


def _agreement(platform: "Platform", collection: Collection) -> float:
    from interlace.evaluation.agreement import exact_agreement

    if platform.embedder is None or platform.settings.qdrant.exact:
        raise InvalidInputError(
            "--exact-agreement compares approximate with exact search of embeddings: it needs "
            "INTERLACE_EMBEDDING__ENABLED=true and INTERLACE_QDRANT__EXACT=false."
        )
    shares = exact_agreement(
        platform.vectors,
        platform.embedder,
        collection.tenant,
        collection.queries.values(),
        candidates=platform.settings.query.candidates,
    )
    return round(100 * sum(shares) / len(shares), 2)
