"""A small server on loopback that speaks OpenAI's protocol, answers from a table and has faults on demand.

It stands for a provider: the platform reaches it through LiteLLM as it would reach any other. It counts every request that it answers, so
that tests can say how often a text was paid for.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np
from tests.support.memory_models import HashingEmbedder

from interlace.domain.ids import checksum

_PIECE = 7
Answer = Callable[[Mapping[str, Any]], str]
"""A request's body to the text of the answer, mostly JSON."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong with a request.

    Args:
        status: an HTTP status that is not 200, or 200.
        retry_after: value of the header ``Retry-After``.
        kind: the ``code`` of the error's body.
        cut: close the connection without an answer.
        slow: seconds to wait before answering.
        text: what to answer instead; None for the right answer.
        finish: why the model stopped; ``length`` where its answer was cut.
        breaks: characters of a streamed answer after which the connection is cut; 0 for none.
        within: refuse a stream with an event, after one that only names the speaker, instead of with the status.
    """

    status: int = 200
    retry_after: str = ""
    kind: str = "error"
    cut: bool = False
    slow: float = 0.0
    text: str | None = None
    finish: str = "stop"
    breaks: int = 0
    within: bool = False


RATE_LIMITED = Fault(429, retry_after="1", kind="rate_limit_exceeded")
OUT_OF_QUOTA = Fault(429, kind="insufficient_quota")
DOWN = Fault(503, kind="service_unavailable")
CUT = Fault(cut=True)
NONSENSE = Fault(text="I am sorry, Dave. {]")


class HeldStream:
    """Holds back the rest of a streamed answer, until a test has read what was sent before it.

    Args:
        place: the first character of the rest.
    """

    def __init__(self, place: int) -> None:
        self._place = place
        self._released = threading.Event()
        self._waited_in_vain = False

    def __call__(self, sent: str) -> None:
        if len(sent) >= self._place and not self._released.wait(240):
            self._waited_in_vain = True

    def release(self) -> None:
        """Let the rest go; fail if it went by itself."""
        self._released.set()
        assert not self._waited_in_vain, "nothing was read before the rest was sent"


@dataclass
class RecordedProvider:
    """The server; use it as a context manager.

    Args:
        answer: gives the text of each answer.
        forms: the kinds of ``response_format`` that the provider takes; others are refused with 400.
        tools: whether it takes tool calls.
        streams: whether it takes requests for a stream.
        counts: whether a stream ends with its usage.
        before: called before each piece of a streamed answer, with what was sent of it; may wait.
    """

    answer: Answer
    forms: frozenset[str] = frozenset({"json_schema", "json_object"})
    tools: bool = True
    streams: bool = True
    counts: bool = True
    before: Callable[[str], object] = str
    faults: list[Fault] = field(default_factory=list)
    """Faults of the next requests, each for one."""
    always: Fault | None = None
    """The fault of all requests until it is taken away."""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    """Requests that were answered with 200."""
    requests: int = 0
    """All requests, refused ones too."""
    tokens: int = 0
    """Tokens of all answers, as they were billed."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._embedder = HashingEmbedder()
        self.embedding_batches: list[int] = []

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The address for ``INTERLACE_LLM__URL``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        """How many requests were answered."""
        return len(self.bodies)

    def prompts(self) -> Counter[str]:
        """Return how often each conversation was answered, by digest."""
        return Counter(checksum(json.dumps(body["messages"])) for body in self.bodies)

    def next_fault(self) -> Fault:
        with self._lock:
            self.requests += 1
            return self.faults.pop(0) if self.faults else self.always or Fault()

    def refusal(self, body: Mapping[str, Any]) -> str:
        form = body.get("response_format", {}).get("type", "")
        if form and form not in self.forms:
            return f"response_format {form} is not supported"
        if body.get("stream") and not self.streams:
            return "your organization may not stream this model"
        return "tools are not supported" if body.get("tools") and not self.tools else ""

    def complete(self, body: dict[str, Any], fault: Fault) -> dict[str, Any]:
        text = self.answer(body) if fault.text is None else fault.text
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if body.get("tools"):
            call = {"name": body["tools"][0]["function"]["name"], "arguments": text}
            message = {"role": "assistant", "content": None}
            message["tool_calls"] = [{"id": "call-1", "type": "function", "function": call}]
        read = sum(len(each["content"].split()) for each in body["messages"])
        usage = {"prompt_tokens": read, "completion_tokens": len(text.split())}
        usage["total_tokens"] = sum(usage.values())
        with self._lock:
            self.bodies.append(body)
            self.tokens += usage["total_tokens"]
        choice = {"index": 0, "finish_reason": fault.finish, "message": message}
        return {
            "id": "recorded-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [choice],
            "usage": usage,
        }

    def stream(self, body: dict[str, Any], fault: Fault) -> Iterator[str]:
        """Yield the events of an answer; what is sent of one that breaks off is not in ``tokens``."""
        if fault.within:
            yield _event({"id": "recorded-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})
            yield f"data: {json.dumps(_error(fault.kind, f'refused: {fault.kind}'))}\n\n"
            return
        whole = self.complete(body, fault)
        usage, (choice,) = whole.pop("usage"), whole.pop("choices")
        (call,) = choice["message"].get("tool_calls") or (None,)
        text, sent = call["function"]["arguments"] if call else choice["message"]["content"], ""
        while sent != text and not (fault.breaks and len(sent) >= fault.breaks):
            self.before(sent)
            piece = text[len(sent) : len(sent) + _PIECE]
            sent += piece
            function = {"name": call["function"]["name"] if sent == piece else None, "arguments": piece} if call else {}
            delta = {"tool_calls": [{"index": 0, **call, "function": function}]} if call else {"content": piece}
            yield _event({**whole, "choices": [{"index": 0, "delta": {"role": "assistant", **delta}}]})
        if fault.breaks:
            return
        yield _event({**whole, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
        if self.counts:
            yield _event({**whole, "choices": [], "usage": usage})
        yield "data: [DONE]\n\n"

    def embed(self, body: dict[str, Any]) -> dict[str, Any]:
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        self.embedding_batches.append(len(texts))
        # Providers promise unit vectors and give them of other lengths; they may also come in any order.
        vectors = self._embedder.embed_texts(texts) * np.float32(2)
        data = [{"object": "embedding", "index": row, "embedding": vectors[row].tolist()} for row in range(len(texts))]
        return {
            "object": "list",
            "model": body["model"],
            "data": data[::-1],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }


class _Handler(BaseHTTPRequestHandler):
    owner: RecordedProvider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault = self.owner.next_fault()
        time.sleep(fault.slow)
        if fault.cut:
            self.close_connection = True
            return
        if fault.status != 200 and not (fault.within and body.get("stream")):
            self._send(fault.status, _error(fault.kind, f"refused: {fault.kind}"), fault.retry_after)
        elif self.path.endswith("/embeddings"):
            self._send(200, self.owner.embed(body))
        elif refusal := self.owner.refusal(body):
            self._send(400, _error("invalid_request_error", refusal))
        elif body.get("stream"):
            self._stream(self.owner.stream(body, fault), whole=not fault.breaks)
        else:
            self._send(200, self.owner.complete(body, fault))

    def log_message(self, *_: object) -> None:
        pass

    def _stream(self, events: Iterator[str], *, whole: bool) -> None:
        self.protocol_version, self.close_connection = "HTTP/1.1", True
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.send_header("Connection", "close")
            self.end_headers()
            for event in map(str.encode, events):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
            self.wfile.write(b"0\r\n\r\n" if whole else b"")
        except OSError:
            self.close_connection = True

    def _send(self, status: int, body: Mapping[str, Any], retry_after: str = "") -> None:
        content = json.dumps(body).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if retry_after:
                self.send_header("Retry-After", retry_after)
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            self.close_connection = True  # the caller was killed, or gave up waiting


def _event(data: Mapping[str, Any]) -> str:
    return f"data: {json.dumps({**data, 'object': 'chat.completion.chunk'})}\n\n"


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "code": kind}}
