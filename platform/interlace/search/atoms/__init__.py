"""Search among knowledge atoms."""
