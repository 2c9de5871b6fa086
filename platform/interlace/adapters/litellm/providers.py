"""Whether LiteLLM knows who provides a model, by the files of the package: importing it takes seconds that no answer should wait for in vain."""

import json
import os
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

_MEMBERS = re.compile(r"^class LlmProviders\(.*?(?=^\S)", re.MULTILINE | re.DOTALL)
_MEMBER = re.compile(r'^    \w+ = "([^"]+)"', re.MULTILINE)
_QUOTED = re.compile(r'"([^"\n]+)"')
# `ft:` names and Replicate's versions.
_MARKS = (":", "*")


@cache
def lacks_provider(model: str, url: str = "") -> bool:
    """Return whether nothing in LiteLLM's files gives a model a provider; False where only the package can say.

    Args:
        model: as the settings name it, ``PROVIDER/MODEL`` or a name of LiteLLM's price list.
        url: address of the server; LiteLLM knows the providers of some.
    """
    folder = _folder()
    if folder is None or any(mark in model for mark in _MARKS) or "USE_LITELLM_PROXY" in os.environ:
        return False
    try:
        provider, slash, _ = model.partition("/")
        if (slash and provider in _providers(folder)) or _host_known(folder, url):
            return False
        return model not in _models(folder)
    except (OSError, ValueError):  # the files of another version are elsewhere
        return False


def _folder() -> Path | None:
    found = find_spec("litellm")
    return Path(found.origin).parent if found and found.origin else None


@cache
def _models(folder: Path) -> frozenset[str]:
    """Return the names that LiteLLM knows without a provider: those of its price list, and what its constants quote."""
    priced = json.loads((folder / "model_prices_and_context_window_backup.json").read_bytes())
    return frozenset({*priced, *_QUOTED.findall((folder / "constants.py").read_text(encoding="utf-8"))})


@cache
def _providers(folder: Path) -> frozenset[str]:
    """Return the providers that LiteLLM lists.

    Raises:
        ValueError: its files are not as expected.
    """
    members = _MEMBERS.search((folder / "types" / "utils.py").read_text(encoding="utf-8"))
    if members is None:
        raise ValueError("LiteLLM lists no providers")
    served = json.loads((folder / "llms" / "openai_like" / "providers.json").read_bytes())
    return frozenset({*_MEMBER.findall(members[0]), *served})


def _host_known(folder: Path, url: str) -> bool:
    """Return whether LiteLLM's files name the public host of an address."""
    host = urlsplit(url).hostname or ""
    places = (folder / "constants.py", folder / "llms" / "openai_like" / "providers.json")
    public = "." in host and not host.replace(".", "").isdigit()
    return public and any(host in place.read_text(encoding="utf-8") for place in places)
