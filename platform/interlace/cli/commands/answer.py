"""``interlace answer``: a question answered in sentences, with footnotes that say what each rests on."""

from typing import TYPE_CHECKING, Annotated

import typer

from interlace.cli.options.filters import FilterOption, filter_of
from interlace.cli.output import JsonOption, TenantOption, print_json
from interlace.cli.session import platform_for
from interlace.domain.answers import DEFAULT_SENTENCES, MAX_SENTENCES, Answer, AnswerRequest
from interlace.domain.errors import InvalidInputError
from interlace.domain.hits import Mode, QueryRequest

if TYPE_CHECKING:
    from interlace.bootstrap import Platform


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(answer)


def answer(
    text: Annotated[str, typer.Argument(help="The question.", show_default=False)],
    sentences: Annotated[
        int, typer.Option(min=1, max=MAX_SENTENCES, help="Sentences wanted at most.")
    ] = DEFAULT_SENTENCES,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Hits that the answer may draw on.")] = 10,
    where: FilterOption = None,
    mode: Annotated[
        Mode,
        typer.Option(help="Which legs may find the hits; auto: all at once, or the graph first where settings say so."),
    ] = "auto",
    insist: Annotated[
        bool, typer.Option("--insist", help="Answer even where the evidence seems insufficient.")
    ] = False,
    extractive: Annotated[
        bool, typer.Option("--extractive", help="Quote only, also where a language model is there to write.")
    ] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question in sentences, each with its source, or say what is missing."""
    query = QueryRequest(text=text.strip(), mode=mode, limit=limit, where=filter_of(where))
    if not query.text:
        raise InvalidInputError("The question is empty; ask something.")
    request = AnswerRequest(query, sentences=sentences, insist=insist, extractive=extractive)
    with platform_for(tenant) as (platform, name):
        if as_json:
            print_json(platform.answers.answer(name, request))
        else:
            _print_as_it_comes(platform, name, request)


def _print_as_it_comes(platform: "Platform", tenant: str, request: AnswerRequest) -> None:
    from interlace.cli.terminal import console
    from interlace.cli.views.footnotes import print_footnotes, print_sentence
    from interlace.domain.answers import CitedSentence

    printed = console()
    printed.print()
    for event in platform.answers.follow(tenant, request):
        if isinstance(event, CitedSentence):
            print_sentence(printed, event)
        elif isinstance(event, Answer):
            print_footnotes(printed, event, tenant)
