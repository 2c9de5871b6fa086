"""Lists the nouns that WordNet writes with a capital: *Rotterdam*, *Wren*.

``.venv/bin/python ops/benchmarks/proper_nouns.py FOLDER`` reads the Debian package ``wordnet-base``, unpacked in a folder (``apt-get download``,
``dpkg -x``), and writes ``platform/interlace/text/proper_nouns.txt``: one word in lower case a line.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from interlace.text import proper_nouns

# The field with the number of a synset's words, in hexadecimal; they follow it, each with a number behind it.
_COUNT = 3


def main(folder: str) -> None:
    """Write the table."""
    data = Path(folder, "usr/share/wordnet/data.noun").read_text(encoding="utf-8")
    words = sorted({word.lower() for word in _nouns(data) if word.isalpha() and word[0].isupper()})
    Path(proper_nouns.__file__).with_suffix(".txt").write_text("".join(f"{word}\n" for word in words))
    sys.stdout.write(f"{len(words)} words\n")


def _nouns(data: str) -> Iterator[str]:
    """Yield the words of all synsets; the lines of the licence begin with blanks."""
    for line in data.splitlines():
        if not line.startswith(" "):
            fields = line.split()
            yield from fields[_COUNT + 1 :: 2][: int(fields[_COUNT], 16)]


if __name__ == "__main__":
    main(*sys.argv[1:])
