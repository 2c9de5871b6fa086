"""What the server does for each route of Qdrant's REST API that it has."""
