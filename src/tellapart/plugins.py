"""Plugins: modules named by entry points, whose import registers methods, evidence and converters."""

from __future__ import annotations

from functools import cache

from .errors import TellapartError


@cache
def load_plugins(group: str) -> None:
    """Import the modules that installed packages name in this group of entry points, each once."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # slow to load and rarely needed

    for point in entry_points(group=group):
        try:
            point.load()
        except Exception as error:  # any error of another package is reported with its name
            package, what = point.dist.name if point.dist else point.value, group.rpartition(".")[2]
            message = f"the {what} of package {package!r} cannot be loaded ({error!r}). Repair or uninstall it."
            raise TellapartError(message) from error
