"""Settings for the local stack: the addresses and credentials of its servers, unless the settings name others."""

from typing import Any

from pydantic import SecretStr

from interlace.settings import Group, Settings
from interlace.settings_objects import StackPorts
from interlace_stack.external import external_servers
from interlace_stack.layout import layout_of
from interlace_stack.models import bundled_model_folder
from interlace_stack.state import StackState, read_state


def connect(settings: Settings) -> Settings:
    """Return settings in which every address and credential that the user left unset is that of the local stack.

    A field that the user has set stays (an environment variable always wins). The stack's credentials never go to another server: if an
    address was set to one, its group stays as it is. Without ``stack.json``, only the addresses at ports that were set are filled in,
    so that no other stack is asked instead, and the folder of the embedding model, if it was fetched.

    Raises:
        StackError: ``stack.json`` is damaged or of another format.
    """
    layout = layout_of(settings)
    updates: dict[str, Group] = {}
    state = read_state(layout)
    if state is not None:
        # Field by field: a user may set a password and leave the address unset.
        for name in {"neo4j", "qdrant", "redis"} - external_servers(settings):
            updates[name] = _filled(getattr(settings, name), _values(name, state))
        updates["links"] = _filled(settings.links, {"cache_folder": layout.links})
    elif "ports" in settings.stack.model_fields_set:
        for name in {"neo4j", "qdrant", "redis"} - external_servers(settings):
            updates[name] = _filled(getattr(settings, name), _addresses(name, settings.stack.ports))
    folder = bundled_model_folder(settings, layout)
    if folder is not None:
        updates["embedding"] = _filled(settings.embedding, {"folder": folder})
    return settings.model_copy(update=updates)


def _values(name: str, state: StackState) -> dict[str, Any]:
    values: dict[str, dict[str, Any]] = {
        "neo4j": {
            "uri": state.bolt_uri,
            "password": SecretStr(state.neo4j_password),
            "browser_url": state.browser_url,
        },
        "qdrant": {"url": state.qdrant_url, "api_key": SecretStr(state.qdrant_api_key)},
        "redis": {"url": SecretStr(state.redis_url)},
    }
    return values[name]


def _addresses(name: str, ports: StackPorts) -> dict[str, Any]:
    values: dict[str, dict[str, Any]] = {
        "neo4j": {"uri": f"bolt://127.0.0.1:{ports.bolt}"},
        "qdrant": {"url": f"http://127.0.0.1:{ports.qdrant}"},
        "redis": {"url": SecretStr(f"redis://127.0.0.1:{ports.redis}/0")},
    }
    return values[name]


def _filled(group: Group, values: dict[str, Any]) -> Group:
    return group.model_copy(
        update={field: value for field, value in values.items() if field not in group.model_fields_set}
    )
