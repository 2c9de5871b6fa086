"""Runs the recipes of docs/integrations.md as they stand there."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
# On this machine the API answers without a key, and would refuse one that it does not know.
HEADER = 'headers={"Authorization": "Bearer KEY"}, '


def run_recipe(*starts: str, **names: Any) -> dict[str, Any]:
    """Run the one block that holds each of these words; return what the blocks name."""
    namespace = {"__name__": "recipe", **names}
    for start in starts:
        (block,) = [block for block in BLOCKS if start in block]
        exec(compile(block.replace(HEADER, ""), PAGE.name, "exec", dont_inherit=True), namespace)  # noqa: S102
    return namespace
