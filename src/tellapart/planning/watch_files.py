"""The file of a watch: JSON with a version and a checksum, replaced as a whole."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import InvalidEvidence, InvalidInput, InvalidOption, OutputNotWritten
from ..evidence import ErrorCount, PairedTable
from ..methods.betting import Bets
from ..replacing import replace_file
from .watch_looks import PLANNED, InterimAnalysis, WatchedEvidence, count_examples

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FORMAT, VERSION = "tellapart watch", 1
_SETTINGS = ("watches", "models", "alpha", "rule", "total", "against", "prior")
_NUMBERS = ("estimate", "low", "high", "evalue", "z", "boundary")
_TEXTS = ("decides", "source", "fingerprint", "when")
_PATIENCE = 10.0  # seconds to wait for other processes


class StateChanged(InvalidInput):
    """The file has changed since it was read."""


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of some bytes.

    Examples
    --------
    >>> digest_of(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(data).hexdigest()


def state_text(parts: dict[str, Any], indent: int | None) -> str:
    """Return the state as JSON that begins with format, version and a checksum of the rest."""
    head = {"format": FORMAT, "version": VERSION, "checksum": _checksum(parts)}
    return json.dumps({**head, **parts}, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def _checksum(parts: dict[str, Any]) -> str:
    return digest_of(json.dumps(parts, sort_keys=True, separators=(",", ":")).encode())


# --- Reading ------------------------------------------------------------------------------------------


def read_state(text: str, name: str) -> tuple[dict[str, Any], WatchedEvidence | None, tuple[InterimAnalysis, ...]]:
    """Return settings by name, the evidence and the looks; raise InvalidEvidence if the text is not a watch."""
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidEvidence(f"{name} is not a watch: it is not valid JSON. Use another name.") from None
    if not isinstance(parts, dict) or parts.get("format") != FORMAT:
        raise InvalidEvidence(f"{name} is not a watch: it is other JSON. Use another name.")
    version, checksum = parts.pop("version", None), parts.pop("checksum", None)
    if version != VERSION:
        raise InvalidEvidence(f"{name} must have format {VERSION}, got {version!r}. Update tellapart.")
    del parts["format"]
    if checksum != _checksum(parts):
        raise InvalidEvidence(f"{name} is damaged or was edited: its checksum differs. Restore a copy.")
    try:
        settings = _read_settings(parts)
        looks = tuple(_read_look(fields, settings["rule"]) for fields in parts["looks"])
        evidence = _read_evidence(settings["watches"], parts["held"], as_accuracy=parts.get("as_accuracy") is True)
        _check_consistency(evidence, looks)
    except KeyError as error:
        raise InvalidEvidence(f"{name} is an incomplete watch: {error} is missing.") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise InvalidEvidence(f"{name} is an invalid watch: {error}.") from error
    return settings, evidence, looks


def _read_settings(parts: dict[str, Any]) -> dict[str, Any]:
    settings = {name: parts[name] for name in _SETTINGS}
    models, alpha = settings["models"], settings["alpha"]
    if not (isinstance(models, list) and all(isinstance(name, str) for name in models)):
        raise TypeError("its models are not names")
    if len(models) != (2 if settings["watches"] in ("pair", "paired scores") else 1):
        raise ValueError(f"a watch of {settings['watches']!r} does not have {len(models)} models")
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        raise ValueError("its alpha is not a probability")
    return settings | {"models": tuple(models)}


def _read_look(parts: dict[str, Any], rule: str) -> InterimAnalysis:
    """Return a look; null is NaN, or for boundaries of planned looks infinity, which JSON does not have."""
    numbers: dict[str, Any] = {name: math.nan if parts[name] is None else float(parts[name]) for name in _NUMBERS}
    late = parts["late"] is True
    if parts["boundary"] is None and rule in PLANNED and not late:
        numbers["boundary"] = math.inf
    numbers |= {name: str(parts[name]) for name in _TEXTS}
    # Older files have no names and counts of batches.
    numbers |= {"name": str(parts.get("name", "")), "counts": tuple(int(count) for count in parts.get("counts", ()))}
    return InterimAnalysis(examples=int(parts["examples"]), late=late, **numbers)


def _read_evidence(watched: str, parts: dict[str, Any] | None, *, as_accuracy: bool) -> WatchedEvidence | None:
    if parts is None:
        return None
    if watched == "rate":
        return ErrorCount(parts["errors"], parts["trials"])
    if watched != "pair":
        return Bets.from_dict(parts)
    cells = (parts[name] for name in ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right"))
    return PairedTable(*cells, models=tuple(parts["models"]), as_accuracy=as_accuracy)


def _check_consistency(evidence: WatchedEvidence | None, looks: tuple[InterimAnalysis, ...]) -> None:
    counts = [look.examples for look in looks]
    if counts != sorted(set(counts)) or any(count < 1 for count in counts):
        raise ValueError("its looks are not in order")
    if count_examples(evidence) != (counts[-1] if counts else 0):
        raise ValueError("its counts are not those of its last look")


# --- Writing ------------------------------------------------------------------------------------------


def replace_state(file: Path, text: str, origin: str) -> Path:
    """Write a state if the file is unchanged: absent, or with the digest `origin`; raise StateChanged if not."""
    try:
        target = Path(os.path.realpath(file))  # a link stays one
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidOption(f"cannot write {str(file)!r}: {why}.") from error
    if not target.parent.is_dir():
        raise InvalidOption(f"cannot write {str(file)!r}: no folder {str(file.parent)!r}. Create it first.")
    with _lock_file(target, file):
        try:
            content = target.read_bytes() if target.exists() else None
        except OSError as error:
            raise InvalidOption(f"cannot read {str(file)!r}: {error.strerror}. Nothing was written.") from error
        if content is not None and digest_of(content) != origin:
            raise _explain_change(content, str(file), origin)
        try:
            replace_file(target, text)
        except OutputNotWritten as error:
            raise InvalidOption(f"cannot write {str(file)!r}: {error} Nothing was added.") from error
    return file


def _explain_change(content: bytes, name: str, origin: str) -> InvalidInput:
    """Return the error that says why a file is not replaced."""
    try:
        read_state(content.decode("utf-8", "replace"), repr(name))
    except InvalidEvidence as error:
        return InvalidEvidence(f"{error} Nothing was written.")
    if not origin:
        return StateChanged(f"{name!r} is a watch already. Add to it (read_watch), or use another name.")
    return StateChanged(
        f"{name!r} has changed since it was read. Nothing was written: read it again, and add the batch again."
    )


@contextmanager
def _lock_file(target: Path, file: Path) -> Iterator[None]:
    """Hold a lock on the file; the system releases it if the process ends."""
    lock = target.with_name(f".{target.name}.lock")
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            descriptor = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
            locked = _try_lock(descriptor, lock)
        except OSError as error:
            raise InvalidOption(f"cannot write {str(file)!r}: {error.strerror}.") from error
        if locked:
            break
        os.close(descriptor)
        if time.monotonic() >= end:
            raise InvalidInput(f"{str(file)!r} is locked by another process. Nothing was written: try again.")
        time.sleep(0.02)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows does not remove open files
            lock.unlink()
        os.close(descriptor)


def _try_lock(descriptor: int, lock: Path) -> bool:
    """Return whether an open file could be locked and still has its name: a previous owner removes it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), lock.stat())
    except (BlockingIOError, FileNotFoundError, PermissionError):
        return False
