"""``interlace documents tag`` and ``access``: tags and readers of documents, changed without reading them again."""

from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json
from interlace.cli.session import platform_for
from interlace.cli.terminal import write_line
from interlace.documents.repository import DocumentRepository
from interlace.domain.errors import InvalidInputError


def tag(
    documents: Annotated[list[str], typer.Argument(help="Ids of documents.", show_default=False)],
    add: Annotated[list[str] | None, typer.Option("--add", help="A tag to add.", show_default=False)] = None,
    remove: Annotated[list[str] | None, typer.Option("--remove", help="A tag to remove.", show_default=False)] = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add or remove tags of documents. Their text stays, and later uploads keep the change."""
    from interlace.ingestion.labelling import LabelChange

    if not (add or remove):
        raise InvalidInputError("Give --add TAG or --remove TAG; both may be repeated.")
    with platform_for(tenant) as (platform, name):
        platform.labels.change(name, documents, LabelChange(add=add or (), remove=remove or ()))
        repository = DocumentRepository(platform.graph)
        changed = [repository.get(name, each).document for each in documents]
    if as_json:
        print_json(changed)
        return
    for document in changed:
        write_line(f"{document.source_uri}: {', '.join(document.tags) or 'no tags'}")


def access(
    documents: Annotated[list[str], typer.Argument(help="Ids of documents.", show_default=False)],
    group: Annotated[
        list[str] | None,
        typer.Option("--group", help="A group of readers that may see them; may be repeated.", show_default=False),
    ] = None,
    everybody: Annotated[bool, typer.Option("--everybody", help="Let everybody in the tenant see them.")] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Set which groups of readers may see documents. Later uploads keep the change."""
    from interlace.ingestion.labelling import LabelChange

    if bool(group) == everybody:
        raise InvalidInputError("Give --group GROUP, which may be repeated, or --everybody.")
    with platform_for(tenant) as (platform, name):
        platform.labels.change(name, documents, LabelChange(access=group or ()))
        repository = DocumentRepository(platform.graph)
        changed = [repository.get(name, each).document for each in documents]
    if as_json:
        print_json(changed)
        return
    for document in changed:
        write_line(f"{document.source_uri}: {', '.join(document.access) or 'everybody'}")
