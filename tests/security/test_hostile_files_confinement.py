"""What a confined process cannot do, tried from inside one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interlace.domain.documents import Source
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sandbox.sandbox import ParserProcess

_ATTEMPTS = {
    "connect": "import socket; socket.socket()",
    "resolve": "import socket; socket.getaddrinfo('localhost', 80)",
    "spawn": "import subprocess; subprocess.run(['true'])",
    "fork": "import os; os.fork()",
    "system": "import os; os.system('true')",
    "write a file": "open('./interlace-confined', 'w')",
    "write a descriptor": "import os; os.write(os.open('./interlace-confined', os.O_WRONLY | os.O_CREAT), b'x')",
    "take memory": "bytearray(2_000_000_000)",
}


@pytest.mark.parametrize("attempt", sorted(_ATTEMPTS))
def test_a_confined_process_is_refused(attempt: str, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom interlace.parsing.sandbox.confinement import confine\nprint(confine(500_000_000))\n"
        f"try:\n    {_ATTEMPTS[attempt]}\nexcept (OSError, MemoryError) as error:\n    print('refused', type(error).__name__)\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
        env=environment,
        cwd=tmp_path,
    )
    network, *answer = done.stdout.splitlines()
    assert network in {"network namespace", "audit hook"}
    assert answer, network
    assert answer[0].startswith("refused"), done.stdout


def test_secrets_of_the_environment_do_not_reach_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLACE_NEO4J__PASSWORD", "hidden")
    with ParserProcess(ParseLimits()) as parser:
        parser.parse([Source("a", "text/plain", b"x")])
        environment = Path(f"/proc/{parser.pid}/environ")
        if not environment.exists():
            pytest.skip("this system shows no environments of processes")
        assert b"INTERLACE" not in environment.read_bytes()
