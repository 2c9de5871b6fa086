"""Someone who decides and is killed with all of it done and none of it committed: ``python -m tests.chaos.dying_decider TENANT FORM FORM``."""

import os
import signal
import sys

from tests.integration.decision_histories import same

from interlace.bootstrap import Platform
from interlace.decisions.step import DecisionStep
from interlace.decisions.writer import DecisionWriter
from interlace.settings import load_settings


def main(tenant: str, *forms: str) -> None:
    """Record a decision that is more than one transaction of a request moves, and die where it would be committed."""
    platform = Platform(load_settings())
    real = DecisionStep.apply_next

    def fatal(step: DecisionStep) -> bool:
        real(step)
        os.kill(os.getpid(), signal.SIGKILL)
        return False

    setattr(DecisionStep, "apply_next", fatal)  # noqa: B010 - the type checker refuses an assignment to a method
    DecisionWriter(platform.graph, platform.older_chunks, 1000, batch_size=2).record(tenant, same(*forms))


if __name__ == "__main__":
    main(*sys.argv[1:])
