"""The version of the installed distribution."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Version of roce-fabric; ``0+unknown`` in a checkout that is not installed."""
    try:
        return version("roce-fabric")
    except PackageNotFoundError:
        return "0+unknown"
