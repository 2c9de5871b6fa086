"""Celery workers: thin tasks, each calling one service."""
