"""The client for notebooks and programs: `from interlace.client import Interlace`."""
