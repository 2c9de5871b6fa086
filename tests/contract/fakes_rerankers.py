"""Rerankers for tests: one in memory, the files of a tiny cross-encoder, and a stand-in for LiteLLM. All count words in common."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

_FLOAT, _INT64 = 1, 7


def common_words(question: str, chunk: str) -> int:
    """Return how many words of a chunk stand in the question too."""
    asked = {word.strip(".,?!:").lower() for word in question.split()}
    return sum(word.strip(".,?!:").lower() in asked for word in chunk.split())


class WordReranker:
    """Scores by common words, and keeps what it read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def score(self, question: str, chunks: Sequence[str]) -> list[float]:
        self.read += chunks
        return [float(common_words(question, chunk)) for chunk in chunks]


@dataclass
class LiteLlmStandIn:
    """What the adapter uses of the package: ``rerank``, whose answers come best first, as a service's do."""

    error: Exception | None = None
    results: list[dict[str, Any]] | None = None
    suppress_debug_info: bool = False

    def __post_init__(self) -> None:
        self.calls: list[Mapping[str, Any]] = []

    def rerank(self, *, query: str, documents: list[str], **rest: Any) -> SimpleNamespace:
        self.calls.append({"query": query, "documents": documents, **rest})
        if self.error is not None:
            raise self.error
        found = [
            {"index": index, "relevance_score": common_words(query, text) / 100} for index, text in enumerate(documents)
        ]
        best_first = sorted(found, key=lambda result: -result["relevance_score"])
        return SimpleNamespace(results=best_first if self.results is None else self.results)


def write_cross_encoder(folder: Path, words: Sequence[str], *, logits: int = 1, factor: float = 1.0) -> Path:
    """Write ``model.onnx`` and ``tokenizer.json`` of a model that counts pairs of equal words; return the folder.

    Args:
        folder: where to.
        words: what the tokenizer knows; all other words are one and the same.
        logits: outputs a pair.
        factor: what the count is multiplied by; NaN for a broken model.
    """
    vocabulary = {word: number for number, word in enumerate(["[UNK]", "[CLS]", "[SEP]", *dict.fromkeys(words)])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(_model(logits, factor))
    return folder


def _model(logits: int, factor: float) -> bytes:
    """Return the model as the bytes of its protocol buffer: Σᵢⱼ first(i) · known(i) · equal(i, j) · second(j)."""
    nodes = [
        _node("Unsqueeze", ["input_ids", "two"], "down"),
        _node("Unsqueeze", ["input_ids", "one"], "across"),
        _node("Equal", ["down", "across"], "same"),
        _node("Cast", ["same"], "equal", _attribute("to", _FLOAT)),
        _node("Greater", ["input_ids", "last_special"], "word"),
        _node("Cast", ["word"], "known", _attribute("to", _FLOAT)),
        _node("Cast", ["token_type_ids"], "second", _attribute("to", _FLOAT)),
        _node("Sub", ["unit", "second"], "first"),
        _node("Mul", ["first", "known"], "asked"),
        _node("Einsum", ["asked", "equal", "second"], "count", _attribute("equation", "bi,bij,bj->b")),
        _node("Mul", ["count", "factor"], "scaled"),
        _node("Unsqueeze", ["scaled", "one"], "logit"),
        _node("Concat", ["logit"] * logits, "logits", _attribute("axis", 1)),
    ]
    constants = [
        _tensor("one", _INT64, struct.pack("<q", 1), [1]),
        _tensor("two", _INT64, struct.pack("<q", 2), [1]),
        _tensor("last_special", _INT64, struct.pack("<q", 2), [1]),
        _tensor("unit", _FLOAT, struct.pack("<f", 1.0), [1]),
        _tensor("factor", _FLOAT, struct.pack("<f", factor), [1]),
    ]
    graph = b"".join(
        [
            *(_part(1, node) for node in nodes),
            _part(2, b"tiny"),
            *(_part(5, tensor) for tensor in constants),
            _part(11, _value("input_ids", _INT64, 2)),
            _part(11, _value("token_type_ids", _INT64, 2)),
            _part(12, _value("logits", _FLOAT, 2)),
        ]
    )
    return _number(1, 8) + _part(7, graph) + _part(8, _number(2, 13))


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _part(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _node(kind: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    parts = [_part(1, name.encode()) for name in inputs]
    parts += [_part(2, output.encode()), _part(4, kind.encode())]
    return b"".join([*parts, *(_part(5, attribute) for attribute in attributes)])


def _attribute(name: str, value: int | str) -> bytes:
    if isinstance(value, int):
        return _part(1, name.encode()) + _number(3, value) + _number(20, 2)
    return _part(1, name.encode()) + _part(4, value.encode()) + _number(20, 3)


def _tensor(name: str, kind: int, raw: bytes, shape: Sequence[int]) -> bytes:
    return b"".join([*(_number(1, size) for size in shape), _number(2, kind), _part(8, name.encode()), _part(9, raw)])


def _value(name: str, kind: int, dimensions: int) -> bytes:
    shape = b"".join(_part(1, _part(2, f"{name}_{axis}".encode())) for axis in range(dimensions))
    return _part(1, name.encode()) + _part(2, _part(1, _number(1, kind) + _part(2, shape)))
