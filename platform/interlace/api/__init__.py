"""The HTTP API: thin routes over the services, problem documents for every error."""
