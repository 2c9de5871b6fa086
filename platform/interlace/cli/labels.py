"""``interlace documents tag``: tags of documents, changed without reading them again."""

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
