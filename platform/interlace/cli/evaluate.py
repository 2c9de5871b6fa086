"""``interlace eval``: known questions over a known corpus, through the ordinary pipeline and coordinator."""

import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interlace.cli.communities import refresh_patiently
from interlace.cli.output import print_table, say, settings_for
from interlace.domain.errors import ConflictError, NotFoundError, ParseError
from interlace.evaluation.collection import Collection, load_collection

if TYPE_CHECKING:
    from interlace.bootstrap import Platform
    from interlace.domain.documents import Source
    from interlace.evaluation.floor import Texts
    from interlace.evaluation.runner import Evaluation

_models: dict[str, Any] = {}


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("eval")(evaluate)


def evaluate(
    folder: Annotated[
        Path, typer.Argument(help="Folder with corpus.jsonl, queries.jsonl and qrels.tsv (BEIR layout).")
    ],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the report to this file.")] = None,
    runs: Annotated[Path | None, typer.Option(help="Write one TREC run file a leg to this folder.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the ingested corpus for --reuse.")] = False,
    reuse: Annotated[bool, typer.Option("--reuse", help="Use the corpus that --keep left; implies --keep.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Take only the first passages.")] = None,
    floor: Annotated[bool, typer.Option(help="Also measure the models alone on the same text.")] = True,
) -> None:
    """Ingest a corpus into a space of its own, ask every question, and report each leg and the fused list."""
    from interlace.bootstrap import Platform
    from interlace.evaluation.measures import write_trec

    collection = load_collection(folder)
    platform = Platform.open(settings_for(collection.tenant))
    try:
        result = run_collection(platform, collection, keep=keep, reuse=reuse, limit=limit, floor=floor)
    finally:
        platform.close()
    _show(result)
    if json_file:
        import orjson

        json_file.write_bytes(orjson.dumps(result.report(), option=orjson.OPT_INDENT_2))
    if runs:
        runs.mkdir(parents=True, exist_ok=True)
        for leg, run in result.runs.items():
            write_trec(runs / f"{leg}.trec", leg, run)


def run_collection(
    platform: "Platform",
    collection: Collection,
    *,
    keep: bool = False,
    reuse: bool = False,
    limit: int | None = None,
    floor: bool = False,
) -> "Evaluation":
    """Ingest a collection, ask its questions and measure; the arguments are those of the command.

    Raises:
        NotFoundError: nothing was kept to reuse.
        ConflictError: a passage failed.
    """
    from interlace.evaluation.runner import evaluate as ask_questions

    ingestion = {} if reuse else _ingest(platform, collection, limit=limit, floor=floor)
    if reuse and not platform.registries.current(collection.tenant).chunks:
        raise NotFoundError(f"Nothing was kept of {collection.name}; run without --reuse and with --keep first.")
    say(f"Asking {len(collection.queries)} questions")
    result = ask_questions(collection, lambda request: platform.coordinator.query(collection.tenant, request))
    result.ingestion = ingestion
    if not (keep or reuse):
        _clear(platform, collection)
    return result


def _ingest(platform: "Platform", collection: Collection, *, limit: int | None, floor: bool) -> dict[str, float]:
    from interlace.cli.waiting import describe, wait_for
    from interlace.ingestion.sources import find_sources
    from interlace.parsing.limits import ParseLimits

    _clear(platform, collection)
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
    say(f"Ingesting {len(sources)} passages of {collection.name} as tenant {collection.tenant}")
    started = time.perf_counter()
    receipt = platform.intake.receive(collection.tenant, sources)
    status = wait_for(platform.jobs, collection.tenant, receipt.job_id)
    seconds = time.perf_counter() - started
    if status.failed:
        raise ConflictError(f"{status.failed} passages failed, the first: {status.failures[0].message}")
    say(describe(status))
    figures |= {"passages": float(status.ready), "seconds": round(seconds, 1)}
    if floor:
        figures["ratio"] = round(seconds / figures["model_floor_seconds"], 2)
    started = time.perf_counter()
    refresh_patiently(platform, collection.tenant)
    figures["communities_seconds"] = round(time.perf_counter() - started, 1)
    return figures


def _clear(platform: "Platform", collection: Collection) -> None:
    from interlace.cli.waiting import wait_for

    try:
        receipt = platform.intake.delete(collection.tenant, everything=True)
    except NotFoundError:
        return
    wait_for(platform.jobs, collection.tenant, receipt.job_id)


def _floor(platform: "Platform", sources: "list[Source]") -> float:
    from interlace.evaluation.floor import measure_floor
    from interlace.parsing.chunking import chunk
    from interlace.parsing.limits import ParseLimits
    from interlace.parsing.registry import parse

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
        _models["embedder"].embed_passages([text for _, text in texts])
    return time.perf_counter() - started


def _show(result: "Evaluation") -> None:
    from interlace.evaluation.runner import compare

    names = list(next(iter(result.measures.values())))
    rows: list[list[object]] = [[leg, *measures.values()] for leg, measures in result.measures.items()]
    rows.append(["fused - best leg", *(f"{value:+.1f}" for value in compare(result.measures).values())])
    print_table([f"{result.collection} ({result.questions})", *names], rows)
    typer.echo(f"query latency: p50 {result.p50} ms, p95 {result.p95} ms")
    if result.ingestion:
        typer.echo(
            "ingestion: " + ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in result.ingestion.items())
        )
