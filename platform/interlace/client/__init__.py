"""The client for notebooks and programs: ``from interlace.client import Interlace``."""

from interlace.client.client import Interlace

__all__ = ["Interlace"]
