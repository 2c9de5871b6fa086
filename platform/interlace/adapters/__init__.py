"""The only modules that import a server's or a model's package."""
