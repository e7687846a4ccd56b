"""Provenance of an answer: command or code, versions, seed, and fingerprints of the data.

No date and no machine: the same input gives the same page, to the byte.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import singledispatch
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np

from ..errors import InvalidOption
from ..evidence import Evidence
from ..rendering import plain

_DIGITS = 16  # of a fingerprint: enough that no two files of one project share it
_ALWAYS = {"NumPy": "numpy", "SciPy": "scipy"}
_IF_LOADED = {"scikit-learn": ("sklearn", "scikit-learn"), "polars": ("polars", "polars")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Everything needed to reproduce an answer.

    Parameters
    ----------
    command
        What was typed, as it was typed.
    code
        Lines of Python that do the same.
    seed
        The seed of all random draws; None if there were none.
    data
        By the name of each file or table, its fingerprint.

    Examples
    --------
    >>> Provenance(command="tellapart compare --table 20 25 10 45").seed is None
    True
    """

    command: str = ""
    code: str = ""
    seed: int | None = None
    data: Mapping[str, str] = field(default_factory=dict)


def versions() -> dict[str, str]:
    """Return the versions of Python and the packages used; scikit-learn and polars only if loaded.

    Examples
    --------
    >>> list(versions())[:4]
    ['tellapart', 'Python', 'NumPy', 'SciPy']
    """
    ours = import_module("tellapart").__version__  # an import of the root would be one of the whole house
    loaded = {name: package for name, (module, package) in _IF_LOADED.items() if module in sys.modules}
    result = {"tellapart": ours, "Python": python_version()}
    for name, package in (_ALWAYS | loaded).items():
        try:
            result[name] = version(package)
        except PackageNotFoundError:  # it was put on the path by hand
            result[name] = str(getattr(sys.modules.get(package), "__version__", "unknown"))
    return result


@singledispatch
def fingerprint_of(data: Any) -> str:
    """Return a short SHA-256 of evidence (of its plain JSON), or of the stored results of an experiment.

    Of a race these are its plan, its learners, the labels and every prediction; how long a fit took is left out.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> fingerprint_of(ErrorCount(3, 120))
    'ed2653f08f9058ba'
    """
    from ..running import Race

    if not isinstance(data, Race):
        raise InvalidOption(f"`data` must be evidence or a race, got {type(data).__name__}.")
    digest = _digest_fields(
        {name: getattr(data, name) for name in ("learners", "classes", "seeds")} | {"plan": data.plan.name}
    )
    digest.update(np.ascontiguousarray(data.labels, dtype=np.int64).tobytes())
    for fit in sorted(data.fits, key=lambda fit: (fit.learner, fit.split, fit.seed)):
        digest.update(f"\n{fit.learner}\n{fit.split}\n{fit.seed}\n{fit.failure or ''}\n".encode())
        if fit.predictions is not None:
            digest.update(np.ascontiguousarray(fit.predictions, dtype=np.int64).tobytes())
    return digest.hexdigest()[:_DIGITS]


@fingerprint_of.register
def _fingerprint_of_evidence(evidence: Evidence) -> str:
    fields, arrays = evidence.content()
    digest = _digest_fields(fields)
    for array in arrays:
        digest.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:_DIGITS]


def _digest_fields(fields: Mapping[str, Any]) -> hashlib._Hash:
    """Return the beginning of a SHA-256: that of fields, as plain JSON in the order of their names."""
    return hashlib.sha256(json.dumps(plain(fields), sort_keys=True, ensure_ascii=False).encode())


def fingerprint_of_file(file: str | Path) -> str:
    """Return the first digits of the SHA-256 of a file, and its size; the file is read piece by piece.

    Examples
    --------
    >>> fingerprint_of_file("/nowhere/at/all.csv")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: '/nowhere/at/all.csv' cannot be read: No such file or directory.
    """
    try:
        with Path(file).open("rb") as stream:
            made = hashlib.file_digest(stream, "sha256")
            size = stream.tell()
    except OSError as error:
        raise InvalidOption(f"{str(file)!r} cannot be read: {error.strerror}.") from error
    return f"SHA-256 {made.hexdigest()[:_DIGITS]}…, {size:,} bytes"
