"""``interlace documents tag`` and ``access``: tags and readers of documents, changed without reading them again."""

from typing import Annotated

import typer

from interlace.cli.output import JsonOption, TenantOption, print_json
from interlace.cli.session import platform_for
from interlace.documents.repository import DocumentRepository
from interlace.domain.errors import InvalidInputError


def tag(
    documents: Annotated[list[str], typer.Argument(help="Ids of documents.", show_default=False)],
    add: Annotated[list[str] | None, typer.Option("--add", help="A tag more.", show_default=False)] = None,
    remove: Annotated[list[str] | None, typer.Option("--remove", help="A tag less.", show_default=False)] = None,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tag documents, or take tags off them. Their text stays, and later uploads of them keep the change."""
    from interlace.ingestion.labelling import LabelChange

    if not (add or remove):
        raise InvalidInputError("Say which tags: --add TAG, --remove TAG; both may be given again.")
    with platform_for(tenant) as (platform, name):
        platform.labels.change(name, documents, LabelChange(add=add or (), remove=remove or ()))
        repository = DocumentRepository(platform.graph)
        changed = [repository.get(name, each).document for each in documents]
    if as_json:
        print_json(changed)
        return
    for document in changed:
        typer.echo(f"{document.source_uri}: {', '.join(document.tags) or 'no tags'}")


def access(
    documents: Annotated[list[str], typer.Argument(help="Ids of documents.", show_default=False)],
    group: Annotated[
        list[str] | None,
        typer.Option("--group", help="A group of readers that may see them; may be given again.", show_default=False),
    ] = None,
    everybody: Annotated[bool, typer.Option("--everybody", help="Open them to everybody of the tenant.")] = False,
    tenant: TenantOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say which groups of readers may see documents. Later uploads of them keep the change."""
    from interlace.ingestion.labelling import LabelChange

    if bool(group) == everybody:
        raise InvalidInputError("Say who may see them: --group GROUP, which may be given again, or --everybody.")
    with platform_for(tenant) as (platform, name):
        platform.labels.change(name, documents, LabelChange(access=group or ()))
        repository = DocumentRepository(platform.graph)
        changed = [repository.get(name, each).document for each in documents]
    if as_json:
        print_json(changed)
        return
    for document in changed:
        typer.echo(f"{document.source_uri}: {', '.join(document.access) or 'everybody'}")
