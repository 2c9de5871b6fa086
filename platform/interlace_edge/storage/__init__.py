"""Collections on disk: durable writes, reads at any time, indexes built in a child process meanwhile."""
