"""``interlace browser-kit``: the saved queries as one file that Neo4j Browser imports."""

import zipfile
from pathlib import Path
from typing import Annotated, Final

import typer

from interlace.cli.output import ForceOption, JsonOption, file_to_write, print_json, say
from interlace.cypher_files import cypher_root

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip file can hold: the same queries give the same bytes


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="browser-kit")(browser_kit)


def browser_kit(
    out: Annotated[Path, typer.Option("--out", help="File to write.")] = Path("saved-scripts.zip"),
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Pack the saved queries: drop the file on the favourites of Neo4j Browser, or choose Import there."""
    names = write_kit(file_to_write(out, force=force))
    if as_json:
        print_json({"file": str(out), "queries": names})
    else:
        say(f"{len(names)} saved queries written to {out}; drop the file on the favourites of Neo4j Browser.")


def write_kit(out: Path) -> list[str]:
    """Write the zip file, folders kept; return the names in it, sorted."""
    root = cypher_root() / "browser" / "saved"
    files = sorted(root.rglob("*.cypher"))
    names = [file.relative_to(root).as_posix() for file in files]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as kit:
        for file, name in zip(files, names, strict=True):
            kit.writestr(zipfile.ZipInfo(name, _EPOCH), file.read_bytes())
    return names
