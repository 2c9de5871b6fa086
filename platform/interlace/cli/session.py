"""Opens the platform for one command and closes it after."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from interlace.cli.output import in_tenant, settings_for
from interlace.domain.errors import InterlaceError

if TYPE_CHECKING:
    from interlace.bootstrap import Platform


@contextmanager
def platform_for(tenant: str | None, *, new: bool = False) -> Iterator[tuple["Platform", str]]:
    """Give the platform and the tenant's name: the one named on the command line, or that of the settings.

    Args:
        tenant: as named on the command line.
        new: whether the command may begin a tenant; any other refuses one that is unknown, which mostly is misspelt.

    Raises:
        NotFoundError: nothing was ingested for the tenant, but for others.
        SettingsError: a variable is not acceptable.
        InvalidInputError: the name cannot be a tenant's.
    """
    from interlace.bootstrap import Platform
    from interlace.documents.tenants import Tenants

    platform = Platform.open(settings_for(tenant))
    try:
        if not new:
            Tenants(platform.graph).check_known(platform.settings.tenant)
        yield platform, platform.settings.tenant
    except InterlaceError as error:
        error.message = in_tenant(error.message, platform.settings.tenant)
        raise
    finally:
        platform.close()
