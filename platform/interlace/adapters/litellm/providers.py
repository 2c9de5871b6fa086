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
# `ft:` names and Replicate's versions.
_MARKS = (":", "*")


@cache
def lacks_provider(model: str, url: str = "") -> bool:
    """Return whether LiteLLM certainly refuses a model because its name has no provider; False where only the package can say.

    Args:
        model: as the settings name it, ``PROVIDER/MODEL`` or a name of LiteLLM's price list.
        url: address of the server; LiteLLM knows the providers of some.
    """
    folder = _folder()
    if folder is None or any(mark in model for mark in _MARKS) or "USE_LITELLM_PROXY" in os.environ:
        return False
    provider, slash, _ = model.partition("/")
    known = _providers(folder)
    if not known or (slash and provider in known) or _host_known(folder, url):
        return False
    return model not in json.loads((folder / "model_prices_and_context_window_backup.json").read_bytes())


def _folder() -> Path | None:
    found = find_spec("litellm")
    return Path(found.origin).parent if found and found.origin else None


@cache
def _providers(folder: Path) -> frozenset[str]:
    """Return the providers that LiteLLM lists; none where its files are not as expected."""
    try:
        members = _MEMBERS.search((folder / "types" / "utils.py").read_text(encoding="utf-8"))
        served = json.loads((folder / "llms" / "openai_like" / "providers.json").read_bytes())
    except (OSError, ValueError):
        return frozenset()
    return frozenset({*_MEMBER.findall(members[0]), *served}) if members else frozenset()


def _host_known(folder: Path, url: str) -> bool:
    """Return whether LiteLLM's files name the public host of an address."""
    host = urlsplit(url).hostname or ""
    places = (folder / "constants.py", folder / "llms" / "openai_like" / "providers.json")
    public = "." in host and not host.replace(".", "").isdigit()
    return public and any(host in place.read_text(encoding="utf-8") for place in places)
