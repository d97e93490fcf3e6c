"""The version of this package."""

VERSION = "0.1.0"
"""The version of this package, also told to the server."""
