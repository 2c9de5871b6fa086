"""The only places that import a server's or a model's package."""
