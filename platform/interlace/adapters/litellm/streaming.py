"""Streamed completions: deltas of the output as they arrive, and the whole response with its usage at the end."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interlace.adapters.litellm.structured_output import text_of

STREAMED: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
"""Request parameters of a streamed completion."""


def join_stream(
    package: Any, stream: Any, messages: Sequence[Mapping[str, str]], timeout: float, on_text: Callable[[str], None]
) -> tuple[Any, Exception | None]:
    """Return the response that a stream amounts to, and the error that broke it off after the first delta of its output.

    The usage is the provider's, or counted by the model's tokenizer where it sent none, as for a stream that broke off.

    Args:
        package: LiteLLM.
        stream: what ``completion`` returned.
        messages: the conversation, to count its tokens.
        timeout: seconds that the stream may last.
        on_text: is given each delta of the output.

    Raises:
        Exception: the provider's, before the first delta.
    """
    chunks = list[Any]()
    begun = False
    broken: Exception | None = None
    until = time.monotonic() + timeout
    try:
        for chunk in stream:
            chunks.append(chunk)
            if text := "".join(text_of(choice.delta) for choice in chunk.choices[:1]):
                on_text(text)
            # Many providers send a chunk that names the speaker before they refuse.
            begun = begun or bool(text) or any(getattr(each.delta, "reasoning_content", "") for each in chunk.choices)
            if time.monotonic() > until:
                # The client's own time limit starts again with each delta.
                broken = TimeoutError(f"it took longer than {timeout:g} s")
                break
    except Exception as error:
        if not begun:
            raise
        broken = error
    finally:
        # Otherwise an unread rest keeps its connection.
        getattr(stream.completion_stream, "close", bool)()
    return package.stream_chunk_builder(chunks, messages=messages), broken
