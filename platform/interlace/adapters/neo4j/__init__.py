"""Neo4j: the graph database, its errors as ours, and the migrations of its schema.

The driver is loaded here, without pandas and pyarrow, which it imports wherever they are installed, to take data frames as parameters.
Ours are none, and loading the two takes longer than loading the driver. Code that works with frames imports them as ever.
"""

import sys

_FRAMES = {name for name in ("pandas", "pyarrow") if name not in sys.modules}
sys.modules.update(dict.fromkeys(_FRAMES))  # type: ignore[arg-type] # None is how Python marks what cannot be imported
import neo4j  # noqa: E402, F401

for _name in _FRAMES:
    del sys.modules[_name]
