"""Markdown extensions that sites add and readers never see: attributes, Liquid tags, admonitions, JavaScript modules and comments of MDX."""

import re
from collections.abc import Iterator, Sequence

from interlace.parsing.roles import PROSE_DIRECTIVES

_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*\{:?[ ]?[#.][\w#.:\- =\"']{0,200}\}[ \t]*$")
_LIQUID = re.compile(r"\{%[^\n]{0,300}?%\}|\{\{[<%][^\n]{0,300}?[>%]\}\}")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_OUTPUT = re.compile(r"\{\{[^{}\n]{0,300}\}\}")  # inside a text it may be the subject of the text
# ``> [!NOTE] Words`` (GitHub, Obsidian).
_CALLOUT = re.compile(r"\A([ ]{0,3}(?:>[ ]?){1,20})\[![\w-]{1,40}\][+-]?[ \t]*(.*)")
# MDX: statements that import and export, over several lines until their brackets are closed, and comments on one line.
_STATEMENT = re.compile(
    r"import\s+(?:[\w$*{][^\"']*\sfrom\s*|)([\"'])[^\"']+\1;?\s*"
    r"|export\s+(?:default\s|(?:const|let|var|class|function\*?|async\s+function)\s+[\w$\[{]|[{*]).*",
    re.DOTALL,
)
_UNFINISHED = ("=", "=>", "(", "[", "{", ",")
_STATEMENT_LINES = 200
# Obsidian: comments, and highlighted words, which PyMdown has too, but not two comparisons (``a ==b and c== d``).
_HIDDEN = re.compile(r"(?<!\S)%%[^%\n]{1,300}%%(?!\S)")
_HIGHLIGHT = re.compile(
    r"(?<![\w=`])==(?=[^\s=])(?![^\s=`]{1,60} (?:and|or|&&|\|\|) [^\s=`]{1,60}==)([^=\n`]{1,300})(?<=\S)==(?![\w=`])"
)
# The name of a block at its end, after a sentence, or, with a digit or a hyphen, after a word; else it may be an exponent (``r ^alpha``).
_BLOCK_NAME = re.compile(
    r"(?:(?<=[.!?:;\u2026\"'*_)\]])|(?<=[^\W\d_]{2})(?=[ \t]\^[A-Za-z]*[\d-]))[ \t]\^(?=[\d-]*[A-Za-z])[A-Za-z\d-]{4,60}[ \t]*$"
)
_ENDS_BLOCK = re.compile(r"\s*(?:$|[-*+>#]|\d{1,9}[.)]\s)")
_COMMENT = re.compile(r"\{/\*.{0,300}?\*/\}")
# ``!!! note "Words"`` with indented text below (MkDocs), ``/// note | Words`` up to ``///`` (PyMdown), ``:::note[Words]`` up to ``:::`` (Docusaurus),
# ``:::{note} Words`` (MyST).
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?)[ ]+[\w -]{1,60}?(?:[ ]+\"([^\"\n]*)\")?[ \t]*$")
_DIRECTIVE = re.compile(
    r":{3,9}[ ]?(?:\{[.#][^{}\n]{0,200}\}|\{[a-z][\w:-]{0,40}\}[ \t]*([^{\n]{0,100})|[a-z][\w-]{0,40}(?:\[([^\]\n]{0,100})\]|[ ]([^{\n]{0,100}))?(?:\{[^\n]{0,200}\})?)?[ \t]{0,9}$"
)
# Fences of MyST whose content is prose (```` ```{note} Words ````), their options, and labels (``(name)=``).
_PROSE_FENCE = re.compile(rf"[ ]{{0,3}}(`{{3,}}|~{{3,}})\{{(?:{'|'.join(sorted(PROSE_DIRECTIVES))})\}}[ \t]*([^\n]*)")
_OPTION = re.compile(r"[ \t]*:[\w-]{1,40}:(?:[ \t].*)?")
_LABEL = re.compile(r"\A\(([\w:. -]{1,80})\)=[ \t]*$")
_BLOCK = re.compile(r"/{3,}(?:[ ]+[\w-]{1,60}(?:[ ]*\|[ ]*(.*))?)?[ \t]*$")


def plain_markdown(body: str) -> tuple[str, frozenset[str]]:
    """Return Markdown without extension markup outside code blocks, and the labels in it (``(name)=``); the words of an admonition's title stay."""
    if not any(
        mark in body for mark in ("{", "!!!", "???", "///", ":::", "[!", ")=", "==", "%%", " ^", "import ", "export ")
    ):
        return body, frozenset()
    lines, labels = body.split("\n"), set[str]()
    plain = "\n".join(_plain_lines(list(_without_prose_fences(lines)) if "{" in body else lines, labels))
    return plain, frozenset(labels)


def _without_prose_fences(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines without the fences around prose, and without the options below these."""
    fence, around, has_options = "", list[str](), False
    for line in lines:
        found = _FENCE.match(line)
        is_end = found is not None and not line.strip(" `~")
        if found and not fence and (prose := _PROSE_FENCE.fullmatch(line)):
            around.append(prose[1])
            has_options = True
            yield from _paragraph(prose[2])
        elif found and not fence and is_end and around and found[1].startswith(around[-1]):
            around.pop()
            yield ""
        elif not (has_options and _OPTION.fullmatch(line)):
            has_options = False
            if found:
                fence = "" if fence and is_end and found[1].startswith(fence) else fence or found[1]
            yield line


def _statement_end(lines: Sequence[str], start: int) -> int:
    """Return the index after the MDX statement that begins at a line, or that of the line where none does."""
    if not lines[start].startswith(("import ", "export ")):
        return start
    depth = 0
    for end in range(start, min(start + _STATEMENT_LINES, len(lines))):
        line = lines[end].rstrip()
        depth += sum(line.count(each) for each in "([{") - sum(line.count(each) for each in ")]}")
        if depth <= 0 and not line.endswith(_UNFINISHED):
            return end + 1 if _STATEMENT.fullmatch("\n".join(lines[start : end + 1])) else start
    return start


def _plain_lines(lines: list[str], labels: set[str]) -> Iterator[str]:
    """Yield lines without extension markup; the labels are added to those given."""
    fence = ""
    indented = False
    skipped = 0
    for number, line in enumerate(lines):
        if number < skipped:
            continue
        opening = _FENCE.match(line)
        if opening and not fence:
            fence = opening[1]
        elif opening and opening[1].startswith(fence) and not line.strip(" `~"):
            fence = ""
        elif not fence and not indented and line.startswith("    "):
            yield line
            continue
        if fence or opening:
            yield line
            continue
        if admonition := _ADMONITION.match(line):
            indented = True
            yield from _paragraph(admonition[1])
            continue
        indented = indented and (not line.strip() or line.startswith("    "))
        if block := _BLOCK.match(line) or _DIRECTIVE.match(line):
            yield from _paragraph(next(filter(None, block.groups()), None))
            if line.lstrip(": ").startswith("{"):
                skipped = number + 1
                while skipped < len(lines) and _OPTION.fullmatch(lines[skipped]):
                    skipped += 1
        elif _LABEL.match(line) or (skipped := _statement_end(lines, number)) > number:
            labels |= {each.lower() for each in _LABEL.findall(line)}
            yield ""
        else:
            below = lines[number + 1] if number + 1 < len(lines) else ""
            yield _plain_line(line[4:] if indented else line, is_end=_ENDS_BLOCK.match(below) is not None)


def _plain_line(line: str, *, is_end: bool) -> str:
    """Return a line of text without extension markup; at the end of its block without the name of that."""
    plain = _CALLOUT.sub(r"\1\2  ", line)  # the title is a line of its own
    plain = _COMMENT.sub("", _LIQUID.sub("", _ATTRIBUTES.sub("", plain)))
    plain = _without_highlights(_HIDDEN.sub("", plain))
    plain = _BLOCK_NAME.sub("", plain) if is_end else plain
    return _OUTPUT.sub("", plain) if _HEADING.match(plain) else plain


def _without_highlights(line: str) -> str:
    """Return a line without the marks of highlighted words, except in code."""
    marks = seen = 0

    def words_of(found: re.Match[str]) -> str:
        nonlocal marks, seen
        marks += line.count("`", seen, found.start())
        seen = found.start()
        return found[0] if marks % 2 else found[1]

    return _HIGHLIGHT.sub(words_of, line)


def _paragraph(words: str | None) -> Iterator[str]:
    yield from ("", words or "", "")
