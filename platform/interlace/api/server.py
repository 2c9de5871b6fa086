"""Runs the API under uvicorn until a signal ends it."""

import uvicorn

from interlace.api.app import create_app
from interlace.api.services import Services

# Followers of jobs keep their connections open for as long as a job takes; a stopping server does not wait for them longer.
_GRACE_SECONDS = 8


def serve(services: Services) -> None:
    """Listen on the configured address until SIGTERM or SIGINT; requests in hand are finished first.

    Raises:
        SettingsError: other machines could reach it without a key.
    """
    settings = services.settings.api
    uvicorn.run(
        create_app(services),
        host=settings.host,
        port=settings.port,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        access_log=False,
        log_config=None,
        server_header=False,
    )
