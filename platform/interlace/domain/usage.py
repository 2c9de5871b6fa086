"""What a call to a language model took: tokens, their price and the requests that were answered."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CallUsage:
    """What is paid for a call, whether or not its output could be used.

    Args:
        prompt_tokens: tokens that the model read, a repair included.
        completion_tokens: tokens that it wrote, a repair included.
        cost: their price in US dollars; 0 where the price is unknown.
        calls: requests that were answered, 2 after a repair.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    calls: int = 0

    @property
    def tokens(self) -> int:
        """The tokens read and written, which count against budgets."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "CallUsage") -> "CallUsage":
        return CallUsage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost + other.cost,
            self.calls + other.calls,
        )


NO_USAGE: Final = CallUsage()
"""Of a call that was not answered."""
