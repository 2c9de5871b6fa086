"""What all uses of a language model share: token budgets, pauses of a failing provider, and the background loop."""
