"""Packages whose public names are loaded when they are first used, so that imports are fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, tuple[str, ...]], *loaded: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package, from its modules and the names in each.

    Names in `loaded` are imported by the package itself. A name equal to its module's is the module.

    Examples
    --------
    >>> load, names, _ = lazy_names("tellapart.evidence", {"error_count": ("ErrorCount",)}, "Evidence")
    >>> load("ErrorCount")(3, 120).rate, names()
    (np.float64(0.025), ['ErrorCount', 'Evidence'])
    """
    home_of = {name: module for module, names in homes.items() for name in names}
    public = sorted([*home_of, *loaded])

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{home_of[name]}")
        value = module if name == home_of[name] else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    return load, public.copy, public
