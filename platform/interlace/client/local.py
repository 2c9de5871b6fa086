"""Where the API of this machine is, by the settings and the running local stack."""


def local_api() -> tuple[str, str]:
    """Return the API's address and the tenant of the settings; a port left open is that of the local stack."""
    from interlace.settings import load_settings
    from interlace_stack.layout import layout_of
    from interlace_stack.readiness import api_url
    from interlace_stack.state import read_state

    settings = load_settings()
    port = settings.api.port
    state = read_state(layout_of(settings))
    if state is not None and "port" not in settings.api.model_fields_set:
        port = state.api_port
    return api_url(settings.api.host, port), settings.tenant
