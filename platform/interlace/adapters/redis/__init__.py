"""The Celery queue on Redis: the one place that enqueues."""
