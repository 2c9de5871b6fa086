"""A clock of the tests."""


class Clock:
    """Rises only by hand; a test puts it in place of the real one."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now
