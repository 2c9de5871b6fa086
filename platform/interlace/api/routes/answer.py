"""``/v1/answer``: questions answered in cited sentences, whole or as server-sent events."""

from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Header
from fastapi.responses import Response
from fastapi.sse import EventSourceResponse, format_sse_event

from interlace.api.dependencies import PlatformDep, ReaderTenant, metrics_of
from interlace.api.metrics import Metrics
from interlace.api.problems import RESPONSES
from interlace.api.schemas.answers import AnswerBody
from interlace.api.scopes import requires
from interlace.domain.answers import Answer, CitedSentence, Sufficiency
from interlace.domain.errors import InterlaceError

router = APIRouter(prefix="/v1/answer", tags=["answer"], dependencies=[requires("read")])
_EVENTS = "text/event-stream"
_EXAMPLE = """event: sufficiency
data: {"probability":0.91,"threshold":0.5,"features":{"path":0.8},"uncovered":[]}

event: sentence
data: {"text":"Ada Holm founded Holm Works in 1871.","citations":[1],"footnotes":[{"number":1,"quote":"founded by Ada Holm in 1871"}]}

event: answer
data: {"question":"…","mode":"extractive","sentences":[],"citations":[]}
"""
_ANSWERS: dict[int | str, dict[str, Any]] = {
    **RESPONSES,
    200: {
        "description": "The answer; with `Accept: text/event-stream` the same as events: `sufficiency`, each `sentence` with its citations in "
        "`footnotes` as soon as it is verified, and `answer` with exactly these sentences last.",
        "content": {_EVENTS: {"schema": {"type": "string"}, "example": _EXAMPLE}},
    },
}
_NAMES = {Sufficiency: "sufficiency", CitedSentence: "sentence", Answer: "answer"}


@router.post("", response_model=Answer, responses=_ANSWERS)
def answer(
    body: AnswerBody,
    platform: PlatformDep,
    tenant: ReaderTenant,
    metrics: Annotated[Metrics, Depends(metrics_of)],
    accept: Annotated[str, Header(description="`text/event-stream` for events as they come")] = "application/json",
) -> Answer | Response:
    """Answer in sentences, each with the place that it rests on, or abstain and say what is missing.

    Without a language model, or with `extractive`, the sentences are those of the documents, letter by letter, and no token is spent. A
    language model's sentences are shown only if their quotes, names and numbers were found in what they cite.
    """
    request = body.to_domain()
    if _EVENTS not in accept:
        found = platform.answers.answer(tenant, request)
        metrics.observe_answer(found)
        return found
    events = platform.answers.follow(tenant, request)
    # The first event before the response begins: what fails until then is a problem document with its own status.
    first = next(events)
    return EventSourceResponse(_stream(chain([first], events), metrics), headers={"Cache-Control": "no-cache"})


def _stream(events: Iterator[Sufficiency | CitedSentence | Answer], metrics: Metrics) -> Iterator[bytes]:
    try:
        for event in events:
            if isinstance(event, Answer):
                metrics.observe_answer(event)
            yield format_sse_event(event=_NAMES[type(event)], data_str=orjson.dumps(event).decode())
    except InterlaceError as error:
        # The status is sent: report the error as an event.
        data = orjson.dumps({"type": f"/problems/{error.code}", "detail": error.message})
        yield format_sse_event(event="problem", data_str=data.decode())
