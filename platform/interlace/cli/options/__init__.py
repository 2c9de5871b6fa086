"""Options that several commands have, and how their values are checked."""
