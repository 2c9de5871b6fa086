"""Exclusive work across processes: leases that expire, held in the graph and fenced."""
