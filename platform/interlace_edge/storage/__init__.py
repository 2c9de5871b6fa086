"""Collections on disk: durable writes, reads at any time, indexes built by a child process beside them."""
