"""Markdown's inline level: words, links, wikilinks, typed references and hashtags."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from interlace.parsing.composer import Composer

_WIKILINK = re.compile(r"!?\[\[([^\[\]\n|]+?)(?:\\?\|([^\[\]\n]+))?\]\]")
_TAG = re.compile(r"(?<![^\s(\[,;>])#((?=[\w/-]*[^\W\d])\w[\w-]*(?:/[\w-]+)*)")
_TYPE = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Reference:
    """A link of an inline run: as ``Link``, with the place of its words counted from the start of the run."""

    kind: str
    target: str
    anchor: str
    start: int
    end: int


@dataclass(slots=True)
class Run:
    """What a paragraph, a heading or a table cell says: pieces of text, and references into them."""

    pieces: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, piece: str) -> None:
        """Append a piece of text."""
        self.pieces.append(piece)
        self.length += len(piece)

    @property
    def text(self) -> str:
        """All pieces together."""
        return "".join(self.pieces)


def add_wikilinks(parser: MarkdownIt) -> None:
    """Teach the parser ``[[Target#Heading|words]]``; it wins over ordinary links, and code spans win over it."""
    parser.inline.ruler.before("link", "wikilink", _wikilink)


def _wikilink(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "![":
        return False
    match = _WIKILINK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content, token.meta = match[1].strip(), {"words": (match[2] or "").strip()}
    state.pos = match.end()
    return True


def read_run(tokens: Sequence[Token], reference_types: frozenset[str]) -> Run:
    """Return the words, references and hashtags of an inline token's children."""
    run = Run()
    opened: list[tuple[str, int]] = []
    for token in tokens:
        if token.type == "text":
            run.add(token.content)
            if not opened:
                run.tags.extend(find_tags(token.content))
        elif token.type == "link_open":
            opened.append((str(token.attrGet("href") or ""), run.length))
        elif token.type == "link_close" and opened:
            href, start = opened.pop()
            target, _, anchor = href.partition("#")
            run.references.append(Reference("markdown", target, anchor, start, run.length))
        elif token.type == "wikilink":
            _add_wikilink(run, token, reference_types)
        else:
            run.add(_plain(token))
    return run


def _plain(token: Token) -> str:
    if token.type == "softbreak":
        return " "
    if token.type == "hardbreak":
        return "\n"
    if token.type == "image":
        return "".join(_plain(child) for child in token.children or ())
    return "" if token.type == "html_inline" else token.content


def _add_wikilink(run: Run, token: Token, reference_types: frozenset[str]) -> None:
    target, _, anchor = (part.strip() for part in token.content.partition("#"))
    typed = bool(target) and anchor in reference_types and _TYPE.fullmatch(anchor) is not None
    start = run.length
    run.add(token.meta["words"] or target or anchor)
    run.references.append(Reference("typed" if typed else "wikilink", target, anchor, start, run.length))


def find_tags(text: str) -> Iterator[str]:
    """Yield the names of ``#tags`` and ``#a/b``; a tag stands after white space or an opening mark and has a letter."""
    return (match[1] for match in _TAG.finditer(text))


def compose_run(run: Run, composer: Composer) -> None:
    """Write a run into the document, and its references with their places there."""
    text, written = run.text, 0
    for reference in sorted(run.references, key=lambda item: (item.start, item.end)):
        if reference.start < written:
            continue
        composer.write(text[written : reference.start])
        start = composer.position
        composer.write(text[reference.start : reference.end])
        composer.reference(reference.kind, reference.target, reference.anchor, start)
        written = reference.end
    composer.write(text[written:])
