"""The Celery queue on Redis: the only place that enqueues tasks."""
