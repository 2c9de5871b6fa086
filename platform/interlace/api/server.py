"""Runs the API under uvicorn until a signal ends it."""

import logging
import resource

import uvicorn
from fastapi import FastAPI

from interlace.access.keys import ApiKeys
from interlace.api.app import create_app
from interlace.api.guards import is_loopback
from interlace.api.slow_clients import HeadTimeoutProtocol
from interlace.bootstrap import Platform
from interlace.domain.errors import UnavailableError
from interlace.settings import ApiSettings

_logger = logging.getLogger(__name__)

# Followers of jobs keep their connections open for as long as a job takes; a stopping server does not wait for them longer.
_GRACE_SECONDS = 8
_CONNECTIONS = 65_536


def serve(platform: Platform) -> None:
    """Listen on the configured address until SIGTERM or SIGINT; requests in hand are finished first.

    Raises:
        SettingsError: a key's digest in the settings is malformed.
    """
    settings = platform.settings.api
    app = create_app(platform)
    _warn_without_keys(app.state.keys, settings)
    raise_connection_limit()
    uvicorn.Server(server_config(app, settings)).run()


def server_config(app: FastAPI, settings: ApiSettings) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=HeadTimeoutProtocol,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        access_log=False,
        log_config=None,
        server_header=False,
    )


def raise_connection_limit() -> None:
    """Let this process have as many open connections as the machine allows it; shells often start with 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _warn_without_keys(keys: ApiKeys, settings: ApiSettings) -> None:
    try:
        if settings.keys or keys.exist():
            return
    except UnavailableError:
        return  # no request is answered without a key before the database says that there are none
    if is_loopback(settings.host):
        _logger.warning(
            "There are no API keys: anyone who can log in to this machine may read and change everything at %s:%s. The first "
            "`interlace keys create` ends that.",
            settings.host,
            settings.port,
        )
    else:
        _logger.warning("There are no API keys, so no request is answered; create one with `interlace keys create`.")
