"""Opens the platform for one command and closes it after."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from interlace.cli.output import settings_for

if TYPE_CHECKING:
    from interlace.bootstrap import Platform


@contextmanager
def platform_for(tenant: str | None) -> Iterator[tuple["Platform", str]]:
    """Give the platform and the tenant's name: the one named on the command line, or that of the settings.

    Raises:
        SettingsError: a variable or the tenant's name is not acceptable.
    """
    from interlace.bootstrap import Platform

    platform = Platform.open(settings_for(tenant))
    try:
        yield platform, platform.settings.tenant
    finally:
        platform.close()
