"""The package LiteLLM, imported on first use: the import takes seconds of CPU time."""

import os
from typing import Any

from interlace.domain.errors import UnavailableError
from interlace.text.excerpts import shortened

_MAX_CHARACTERS = 200


def load_litellm() -> Any:
    """Return the package, configured to contact only the provider and to print nothing.

    Raises:
        UnavailableError: it is not installed.
    """
    # Otherwise the import fetches a price list from the network, and waits for it.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        import litellm
    except ImportError:
        raise UnavailableError(
            "The package litellm is not installed, which models behind a service need. `make install` installs it; "
            "without INTERLACE_LLM__MODEL and INTERLACE_RERANKER__SERVICE nothing needs it."
        ) from None
    package: Any = litellm
    package.suppress_debug_info = True  # it would print advertisements on standard output
    package.telemetry = False
    package.disable_hf_tokenizer_download = True  # counting tokens fetches nothing
    package.DEFAULT_MAX_RETRIES = (
        0  # a request for embeddings takes this for 0 too; who repeats, and when, is decided here
    )
    package.drop_params = True  # a model that accepts no temperature is called without one
    return package


def quoted(error: BaseException, *secrets: str) -> str:
    """Return the beginning of an exception's message on one line, without any of these secrets."""
    said = str(error)
    for secret in secrets:
        if secret:
            said = said.replace(secret, "***")
    return shortened(said, _MAX_CHARACTERS)
