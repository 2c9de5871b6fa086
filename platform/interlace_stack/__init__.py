"""The local stack: real servers as supervised child processes on loopback, without Docker."""
