"""What callers send: pydantic models that refuse unknown names and senseless values."""
