"""The file of a watch: a small JSON text that tells its version and its own damage, replaced as a whole."""

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
from .watch_looks import PLANNED, Held, Look, examples_of

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FORMAT, VERSION = "tellapart watch", 1
_SETTINGS = ("watches", "models", "alpha", "rule", "total", "against", "prior")
_NUMBERS = ("estimate", "low", "high", "evalue", "z", "boundary")
_TEXTS = ("decides", "source", "fingerprint", "when")
_PATIENCE = 10.0  # seconds to wait for others that are writing, each for some milliseconds


class StateChanged(InvalidInput):
    """Somebody else has written the file since it was read."""


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of some bytes.

    Examples
    --------
    >>> digest_of(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(data).hexdigest()


def state_text(parts: dict[str, Any], indent: int | None) -> str:
    """Return plain parts as JSON, headed by format, version and a checksum of the rest."""
    head = {"format": FORMAT, "version": VERSION, "checksum": _checksum(parts)}
    return json.dumps({**head, **parts}, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def _checksum(parts: dict[str, Any]) -> str:
    return digest_of(json.dumps(parts, sort_keys=True, separators=(",", ":")).encode())


# --- Reading ------------------------------------------------------------------------------------------


def read_state(text: str, name: str) -> tuple[dict[str, Any], Held | None, tuple[Look, ...]]:
    """Return settings by name, what is held and the looks, or say why this is no watch."""
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidEvidence(f"{name} is no watch: it is not JSON. Was it cut off? Take another name.") from None
    if not isinstance(parts, dict) or parts.get("format") != FORMAT:
        raise InvalidEvidence(f"{name} is no watch: it is JSON of another kind. Take another name.")
    version, checksum = parts.pop("version", None), parts.pop("checksum", None)
    if version != VERSION:
        raise InvalidEvidence(
            f"{name} is a watch of format {version!r}, but this tellapart reads {VERSION}. Update tellapart."
        )
    del parts["format"]
    if checksum != _checksum(parts):
        raise InvalidEvidence(
            f"{name} is a watch that was damaged, or changed by another hand: its checksum differs. Take a copy from"
            " before."
        )
    try:
        settings = _settings(parts)
        looks = tuple(_look(each, settings["rule"]) for each in parts["looks"])
        held = _held(settings["watches"], parts["held"])
        _refuse_unfitting(held, looks)
    except KeyError as error:
        raise InvalidEvidence(f"{name} is no whole watch: it has no {error}.") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise InvalidEvidence(f"{name} is no whole watch: {error}.") from error
    return settings, held, looks


def _settings(parts: dict[str, Any]) -> dict[str, Any]:
    found = {name: parts[name] for name in _SETTINGS}
    models, alpha = found["models"], found["alpha"]
    if not (isinstance(models, list) and all(isinstance(name, str) for name in models)):
        raise TypeError("its models are no names")
    if len(models) != (2 if found["watches"] in ("pair", "paired scores") else 1):
        raise ValueError(f"a watch of {found['watches']!r} does not have {len(models)} models")
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        raise ValueError("its alpha is no probability")
    return found | {"models": tuple(models)}


def _look(parts: dict[str, Any], rule: str) -> Look:
    """Return a look; JSON knows no infinity and no NaN, but its rule tells which of them null stands for."""
    numbers: dict[str, Any] = {name: math.nan if parts[name] is None else float(parts[name]) for name in _NUMBERS}
    late = parts["late"] is True
    if parts["boundary"] is None and rule in PLANNED and not late:
        numbers["boundary"] = math.inf
    numbers |= {name: str(parts[name]) for name in _TEXTS}
    # Files that were written before batches had names and counts have neither.
    numbers |= {"name": str(parts.get("name", "")), "counts": tuple(int(each) for each in parts.get("counts", ()))}
    return Look(examples=int(parts["examples"]), late=late, **numbers)


def _held(watched: str, parts: dict[str, Any] | None) -> Held | None:
    if parts is None:
        return None
    if watched == "rate":
        return ErrorCount(parts["errors"], parts["trials"])
    if watched != "pair":
        return Bets.from_dict(parts)
    cells = (parts[name] for name in ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right"))
    return PairedTable(*cells, models=tuple(parts["models"]))


def _refuse_unfitting(held: Held | None, looks: tuple[Look, ...]) -> None:
    counts = [look.examples for look in looks]
    if counts != sorted(set(counts)) or any(count < 1 for count in counts):
        raise ValueError("its looks are not in order")
    if examples_of(held) != (counts[-1] if counts else 0):
        raise ValueError("its counts are not those of its last look")


# --- Writing ------------------------------------------------------------------------------------------


def replace_state(file: Path, text: str, origin: str) -> Path:
    """Write a state, if what is there is still what `origin` says: nothing, or a file of that digest."""
    try:
        target = Path(os.path.realpath(file))  # a link stays one
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidOption(f"{str(file)!r} cannot be written: {why}.") from error
    if not target.parent.is_dir():
        raise InvalidOption(f"{str(file)!r} cannot be written: there is no folder {str(file.parent)!r}. Make it first.")
    with _alone(target, file):
        try:
            there = target.read_bytes() if target.exists() else None
        except OSError as error:
            raise InvalidOption(f"{str(file)!r} cannot be read: {error.strerror}. Nothing was written.") from error
        if there is not None and digest_of(there) != origin:
            raise _changed(there, str(file), origin)
        try:
            replace_file(target, text)
        except OutputNotWritten as error:
            raise InvalidOption(f"{str(file)!r} cannot be written: nothing was added. {error}") from error
    return file


def _changed(there: bytes, name: str, origin: str) -> InvalidInput:
    """Return why a file is not replaced."""
    try:
        read_state(there.decode("utf-8", "replace"), repr(name))
    except InvalidEvidence as error:
        return InvalidEvidence(f"{error} Nothing was written.")
    if not origin:
        return StateChanged(
            f"{name!r} holds a watch already. Read it and add to that (read_watch), or take another name."
        )
    return StateChanged(
        f"{name!r} was changed by somebody else since it was read. Nothing was written: read it again, and add anew."
    )


@contextmanager
def _alone(target: Path, file: Path) -> Iterator[None]:
    """Let nobody else replace the file meanwhile; the system takes a lock back from whoever dies."""
    lock = target.with_name(f".{target.name}.lock")
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            held = os.open(lock, os.O_CREAT | os.O_RDWR, 0o600)
            mine = _locked(held, lock)
        except OSError as error:
            raise InvalidOption(f"{str(file)!r} cannot be written: {error.strerror}.") from error
        if mine:
            break
        os.close(held)
        if time.monotonic() >= end:
            raise InvalidInput(f"{str(file)!r} is being written by another process. Nothing was written: try again.")
        time.sleep(0.02)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no file that is open
            lock.unlink()
        os.close(held)


def _locked(held: int, lock: Path) -> bool:
    """Whether an open file could be locked, and still has that name: whoever held the lock before removes it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(held), lock.stat())
    except (BlockingIOError, FileNotFoundError, PermissionError):
        return False
