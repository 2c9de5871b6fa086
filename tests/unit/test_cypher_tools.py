"""cypherfmt and the linter on all Cypher files; ``npm ci`` in ``cypher/`` installs them."""

import os
import shutil
import subprocess

import pytest

from interlace.cypher_files import cypher_root

TOOLS = cypher_root() / "node_modules" / "@neo4j-cypher" / "language-support"


@pytest.mark.slow
@pytest.mark.timeout(960)
@pytest.mark.parametrize("script", ["check", "lint"])
def test_all_files_pass(script: str) -> None:
    if not (shutil.which("npm") and TOOLS.is_dir()):
        message = "cypherfmt is not installed; run npm ci in cypher/."
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    done = subprocess.run(
        ["npm", "run", "--silent", script], cwd=cypher_root(), capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
