"""A race as a file: every finished fit is committed at once, and nothing but plain values is kept.

The file is an SQLite database, with a write-ahead log while somebody writes: what is committed survives the
end of the process, however sudden, and several processes may use it at a time. Left alone it is one file.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

import numpy as np

from ..display import printable
from ..errors import InvalidInput, InvalidOption, OutputNotWritten, StoreMismatch, TellapartError
from ..evidence.plan import Plan
from ..typing_ import IntArray
from .fingerprints import changes
from .fit import Fit
from .plans import Layout, Split
from .task import Task

_APPLICATION = 0x74656C6C  # "tell" in the file's header: this is a race
_FORMAT = 1
_MAGIC = b"SQLite format 3\x00"  # how the file begins
_OF_DAMAGE = (  # what comes of reading a file that was changed by another hand
    *(ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError),
    zlib.error,
)
# What SQLite says where the file is whole: a full disk, or another process that does not let go.
_OF_THE_SYSTEM = ("locked", "full", "readonly", "unable to open", "I/O")
_SHOWN = 120  # letters of what SQLite says of damage
_PATIENCE = 60.0  # seconds to wait for another process to finish writing

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE data (name TEXT PRIMARY KEY, fingerprint TEXT, codes BLOB);
CREATE TABLE plan (name TEXT PRIMARY KEY, plan TEXT NOT NULL);
CREATE TABLE splits (
    place INTEGER PRIMARY KEY, part TEXT NOT NULL, replicate INTEGER NOT NULL, fold INTEGER NOT NULL,
    train BLOB NOT NULL, test BLOB NOT NULL
);
CREATE TABLE learners (place INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, fingerprint TEXT NOT NULL);
CREATE TABLE runs (run INTEGER PRIMARY KEY, begun TEXT NOT NULL, versions TEXT NOT NULL);
CREATE TABLE fits (
    learner TEXT NOT NULL, split INTEGER NOT NULL, seed INTEGER NOT NULL, dtype TEXT, predictions BLOB,
    classes INTEGER, probabilities BLOB, seconds REAL NOT NULL, failure TEXT, no_probabilities TEXT,
    run INTEGER NOT NULL, UNIQUE (learner, split, seed)
);
"""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Design:
    """What a race is about: all that must stay the same for its fits to belong together."""

    data: Mapping[str, Any]  # fingerprint of the examples
    labels: IntArray  # places among the classes
    classes: tuple[Any, ...]
    layout: Layout
    learners: Mapping[str, Mapping[str, Any]]  # fingerprints by name
    root: int
    seeds: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    packages: frozenset[str] = frozenset()  # where the learners come from


class Store:
    """An open file of a race; use it as a context."""

    def __init__(self, path: str | Path, *, reading: bool = False) -> None:
        if not isinstance(path, str | os.PathLike):
            raise InvalidOption(f"store must be the path of a file, but is {path!r}.")
        self.path = Path(path)
        self._run = 0
        self._logs = False  # whether we write
        self._base = _opened(self.path, reading=reading)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._logs:
            with suppress(sqlite3.Error):  # others still write: the last of them leaves it as one file
                self._base.execute("PRAGMA busy_timeout = 0")
                self._base.execute("PRAGMA journal_mode = DELETE").fetchone()
        self._base.close()
        if isinstance(error, sqlite3.OperationalError) and any(sign in str(error) for sign in _OF_THE_SYSTEM):
            raise InvalidInput(f"store {str(self.path)!r} cannot be used: {error}.") from error
        if isinstance(error, sqlite3.Error | UnicodeDecodeError):  # even what SQLite says of a damaged text may be none
            raise _damaged(self.path, error) from error

    @contextmanager
    def sound(self) -> Iterator[None]:
        """Say so if what is read here was not written by us."""
        try:
            yield
        except (TellapartError, sqlite3.Error):
            raise
        except _OF_DAMAGE as error:
            raise _damaged(self.path, error) from error

    # --- What it is about -------------------------------------------------------------------------

    def begin(self, design: Design, *, retry_failed: bool = False) -> dict[Task, Fit]:
        """Make this the file of the race, or see that it is, and return the fits that are finished."""
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        try:
            with self.sound():
                if self._is_new():
                    self._create(design)
                else:
                    self._compare(design)
                self._add_learners(design.learners)
                self._put("settings", _merged(self.settings, design.settings))
            if retry_failed:
                names = list(design.learners)
                marks = ", ".join("?" * len(names))
                base.execute(f"DELETE FROM fits WHERE failure IS NOT NULL AND learner IN ({marks})", names)  # noqa: S608
            started = datetime.now(UTC).isoformat(timespec="seconds")
            told = json.dumps(_versions(design.packages))
            made = base.execute("INSERT INTO runs (begun, versions) VALUES (?, ?)", (started, told))
            self._run = int(made.lastrowid or 0)
            base.execute("COMMIT")
        except BaseException:
            if base.in_transaction:  # a full disk has ended it already
                base.execute("ROLLBACK")
            raise
        # With the log and what `_tried` sets, a commit survives the process, and costs next to nothing.
        self._logs = True
        base.execute("PRAGMA journal_mode = WAL").fetchone()
        return {Task(fit.learner, fit.split, fit.seed): fit for fit in self.fits(design)}

    def _is_new(self) -> bool:
        return not self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]

    def _create(self, design: Design) -> None:
        base = self._base
        for statement in _SCHEMA.split(";"):
            base.execute(statement)
        base.execute(f"PRAGMA application_id = {_APPLICATION}")
        base.execute(f"PRAGMA user_version = {_FORMAT}")
        self._put("created", datetime.now(UTC).isoformat(timespec="seconds"))
        self._put("classes", [_plain_label(label) for label in design.classes])
        self._put("seeds", design.seeds)
        self._put("rng", design.root)
        self._put("splits", _digest(design.layout.splits))
        codes = _packed(design.labels)
        base.execute("INSERT INTO data VALUES ('X', ?, NULL)", (json.dumps(design.data),))
        base.execute("INSERT INTO data VALUES ('y', ?, ?)", (json.dumps(_of_labels(design)), codes))
        plans = {"": design.layout.plan, **design.layout.plans}
        rows = [(name, json.dumps(_plan_as_dict(plan))) for name, plan in plans.items()]
        base.executemany("INSERT INTO plan VALUES (?, ?)", rows)
        splits = (
            (place, split.part, split.replicate, split.fold, _packed(split.train), _packed(split.test))
            for place, split in enumerate(design.layout.splits)
        )
        base.executemany("INSERT INTO splits VALUES (?, ?, ?, ?, ?, ?)", splits)

    def _compare(self, design: Design) -> None:
        """Refuse another race, and say in what it is another; first, what is no whole race."""
        self._design()
        told = dict(self._base.execute("SELECT name, fingerprint FROM data"))
        found = changes(json.loads(told["X"]), _as_json(design.data), "X")
        found += changes(json.loads(told["y"]), _as_json(_of_labels(design)), "y")
        found += changes(self._get("rng"), design.root, "rng")
        found += changes(self._get("seeds"), design.seeds, "seeds")
        plan = self._plans()[""]
        found += changes(plan.name, design.layout.plan.name, "plan")
        if not found and self._get("splits") != _digest(design.layout.splits):
            found = [f"plan {plan.name} divides the examples otherwise (stratify, groups, learning_curve, splitter)"]
        for name, old in self._learners().items():
            if name in design.learners:
                here = changes(old, _as_json(design.learners[name]))
                found += [f"learner {name!r}: {change}" for change in here]
        if found:
            first = "; ".join([*found[:3], *[f"and {len(found) - 3} more"] * (len(found) > 3)])
            raise StoreMismatch(
                f"store {str(self.path)!r} holds another race: {first}. Take another store, or remove the"
                " file to begin anew."
            )

    def _add_learners(self, learners: Mapping[str, Mapping[str, Any]]) -> None:
        known = self._learners()
        new = [(name, json.dumps(told)) for name, told in learners.items() if name not in known]
        self._base.executemany("INSERT INTO learners (name, fingerprint) VALUES (?, ?)", new)

    def _learners(self) -> dict[str, Any]:
        rows = self._base.execute("SELECT name, fingerprint FROM learners ORDER BY place")
        return {name: json.loads(told) for name, told in rows}

    def _plans(self) -> dict[str, Plan]:
        rows = self._base.execute("SELECT name, plan FROM plan ORDER BY rowid")
        return {name: _plan_from_dict(json.loads(told)) for name, told in rows}

    def _put(self, name: str, value: Any) -> None:
        self._base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, json.dumps(value)))

    def _get(self, name: str) -> Any:
        found = self._base.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if found is None else json.loads(found[0])

    # --- Fits -------------------------------------------------------------------------------------

    def keep(self, fit: Fit) -> None:
        """Commit a finished fit; one that another process has finished before stays as it is."""
        dtype = predictions = classes = probabilities = None
        if fit.predictions is not None:
            dtype = "|i1" if fit.predictions.max(initial=0) <= 127 else "<i4"
            predictions = fit.predictions.astype(dtype).tobytes()
        if fit.probabilities is not None:
            classes, probabilities = fit.probabilities.shape[1], fit.probabilities.astype("<f8").tobytes()
        row = (
            *(fit.learner, fit.split, fit.seed, dtype, predictions, classes, probabilities),
            *(fit.seconds, fit.failure, fit.no_probabilities, self._run),
        )
        try:
            self._base.execute("INSERT OR IGNORE INTO fits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:  # the disk is full, say
            raise OutputNotWritten(
                f"store {str(self.path)!r} cannot be written: {error}. The fits that are in it are kept: mend that, and"
                " run the race again with the same store."
            ) from error

    def fits(self, design: Design) -> list[Fit]:
        """Return the finished fits of its learners."""
        query = (
            "SELECT learner, split, seed, dtype, predictions, classes, probabilities, seconds, failure,"
            " no_probabilities FROM fits WHERE learner = ? ORDER BY split, seed"
        )
        with self.sound():
            return [_fit(row, design) for name in design.learners for row in self._base.execute(query, (name,))]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is odd about the fits in this file as a whole: that not all are by the same versions."""
        found: dict[str, set[str]] = {}
        query = "SELECT versions FROM runs WHERE run IN (SELECT DISTINCT run FROM fits)"
        with self.sound():
            for (told,) in self._base.execute(query).fetchall():
                for package, number in json.loads(told).items():
                    found.setdefault(package, set()).add(number)
        several = [f"{name} {' and '.join(sorted(numbers))}" for name, numbers in found.items() if len(numbers) > 1]
        return (f"its fits are by different versions: {', '.join(several)}",) if several else ()

    # --- Reading it without the learners ----------------------------------------------------------

    def design(self) -> Design:
        """Return what the race in this file is about."""
        with self.sound():
            if self._is_new():
                raise InvalidInput(f"store {str(self.path)!r} holds no race yet.")
            return self._design()

    def _design(self) -> Design:
        learners = self._learners()
        if not learners or not all(isinstance(name, str) for name in learners):
            raise ValueError("learners have no names")
        told = self._base.execute("SELECT fingerprint FROM data WHERE name = 'X'").fetchone()
        codes = self._base.execute("SELECT codes FROM data WHERE name = 'y'").fetchone()
        plans, classes = self._plans(), tuple(self._get("classes"))
        rows = self._base.execute("SELECT part, replicate, fold, train, test FROM splits ORDER BY place")
        splits = tuple(
            Split(part, replicate, fold, _unpacked(train), _unpacked(test))
            for part, replicate, fold, train, test in rows
        )
        labels = _unpacked(codes[0])
        if _digest(splits) != self._get("splits"):
            raise ValueError("splits have changed")
        if not _all_between(labels, 0, len(classes) - 1):
            raise ValueError("labels are no classes")
        return Design(
            data=json.loads(told[0]),
            labels=labels,
            classes=classes,
            layout=Layout(plans.pop(""), splits, plans),
            learners=learners,
            root=int(self._get("rng")),
            seeds=int(self._get("seeds")),
            settings=self.settings,
        )

    @property
    def settings(self) -> Mapping[str, Any]:
        """What is kept beside the race."""
        return self._get("settings") or {}

    @property
    def root(self) -> int | None:
        """The seed of the race in this file, None if there is no race in it yet."""
        return None if self._is_new() else self._get("rng")


def _opened(path: Path, *, reading: bool) -> sqlite3.Connection:
    """Open the file, new or a race's, or say what is wrong with it; one that is refused stays as it is."""
    try:
        if path.is_dir() or (reading and not path.exists()):
            raise InvalidInput(f"store {str(path)!r} {'is a directory' if path.is_dir() else 'does not exist'}.")
        header = _header(path)
        if header or reading:
            _look_at(header, path)
        return _to_read(path, header) if reading else _tried(path, "", "PRAGMA synchronous = NORMAL")
    except InvalidInput:
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.OperationalError) and not _is_whole(path):
            raise InvalidInput(f"store {str(path)!r} cannot be opened: {error}. Is its directory there?") from error
        raise _damaged(path, error) from error
    except (OSError, ValueError) as error:  # a name that is too long, or holds what no name may
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(f"store {str(path)!r} cannot be opened: {why}. Is its directory there?") from error


def _is_whole(path: Path) -> bool:
    """Whether a file of SQLite is there, so that an error in opening it is one in the file."""
    try:
        return _header(path).startswith(_MAGIC)
    except OSError:
        return False


def _damaged(path: Path, error: BaseException) -> InvalidInput:
    said = str(error) if isinstance(error, sqlite3.Error) else f"{type(error).__name__}: {error}"
    told = " ".join(printable(said).split())[:_SHOWN]  # it may quote what is damaged
    return InvalidInput(
        f"store {str(path)!r} is damaged ({told}). Take another store, or remove the file to begin anew."
    )


def _header(path: Path) -> bytes:
    """Return the first bytes of the file, which tell all without a trace; none if it is yet to be made."""
    if not path.exists() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return file.read(100)


def _look_at(header: bytes, path: Path) -> None:
    made, kind = (int.from_bytes(header[at : at + 4]) for at in (60, 68))  # user_version, application_id
    if not header.startswith(_MAGIC) or kind != _APPLICATION:
        raise InvalidInput(f"store {str(path)!r} is no race. Take another store.")
    if made > _FORMAT:
        raise InvalidInput(
            f"store {str(path)!r} was written by a newer tellapart (format {made}; this one reads {_FORMAT})."
            " Upgrade tellapart."
        )


def _to_read(path: Path, header: bytes) -> sqlite3.Connection:
    """Open the file such that nothing is left beside it."""
    logged = header[18] == 2  # somebody writes, or was stopped from writing
    if logged and not Path(f"{path}-wal").exists():
        return _tried(path, "?immutable=1")
    try:
        return _tried(path, "?mode=ro")
    except sqlite3.OperationalError:  # in a directory that nobody may write to, no log can be looked for
        return _tried(path, "?immutable=1")


def _tried(path: Path, mode: str, *pragmas: str) -> sqlite3.Connection:
    base = sqlite3.connect(path.absolute().as_uri() + mode, uri=True, timeout=_PATIENCE, isolation_level=None)
    try:
        for statement in ("SELECT count(*) FROM sqlite_master", *pragmas):
            base.execute(statement).fetchone()
    except BaseException:  # of damaged names even the error may be no text
        base.close()
        raise
    return base


# --- Values as they are kept ----------------------------------------------------------------------


def _packed(places: IntArray) -> bytes:
    """Return indices as compressed steps from one to the next: sorted ones shrink to little."""
    steps = np.diff(np.asarray(places, dtype=np.int64), prepend=0)
    return zlib.compress(steps.astype("<i4" if _fits(steps) else "<i8").tobytes() + (b"4" if _fits(steps) else b"8"), 1)


def _fits(steps: Any) -> bool:
    return bool(steps.size == 0 or np.abs(steps).max() < 2**31)


def _unpacked(blob: bytes) -> IntArray:
    raw = zlib.decompress(blob)
    places: IntArray = np.cumsum(np.frombuffer(raw[:-1], f"<i{raw[-1:].decode()}"), dtype=np.int64)
    return places


def _fit(row: Sequence[Any], design: Design) -> Fit:
    """Return a fit from its row, or raise what cannot be."""
    learner, split, seed, dtype, codes, classes, shares, seconds, failure, why = row
    if not (isinstance(split, int) and isinstance(seed, int) and isinstance(seconds, float)):
        raise TypeError(f"split, seed and seconds of a fit of {learner} are no numbers")
    if not all(text is None or isinstance(text, str) for text in (failure, why)):
        raise TypeError(f"what is said of a fit of {learner} is no text")
    test = design.layout.splits[split].test.size
    predictions = probabilities = None
    if codes is not None:
        predictions = np.frombuffer(codes, {"|i1": "|i1", "<i4": "<i4"}[dtype]).astype(np.int64)
        if predictions.shape != (test,) or not _all_between(predictions, -1, len(design.classes) - 1):
            raise ValueError(f"predictions of {learner} on split {split} are none")
    elif failure is None:
        raise ValueError(f"{learner} has neither predictions nor a failure on split {split}")
    if shares is not None:
        probabilities = np.frombuffer(shares, "<f8").reshape(test, classes).astype(float)
    return Fit(learner, split, seed, predictions, probabilities, seconds, failure, why)


def _all_between(codes: IntArray, least: int, most: int) -> bool:
    return bool(codes.size and codes.min() >= least and codes.max() <= most)


def _digest(splits: Sequence[Split]) -> str:
    made = hashlib.sha256()
    for split in splits:
        made.update(f"{split.part} {split.replicate} {split.fold} {split.train.size} {split.test.size} ".encode())
        made.update(np.ascontiguousarray(split.train, dtype="<i8").data)
        made.update(np.ascontiguousarray(split.test, dtype="<i8").data)
    return made.hexdigest()


def _of_labels(design: Design) -> dict[str, Any]:
    digest = hashlib.sha256(np.ascontiguousarray(design.labels, dtype="<i8").data).hexdigest()
    classes = [_plain_label(label) for label in design.classes]
    kind = type(design.classes[0]).__name__
    return {"examples": int(design.labels.size), "kind": kind, "classes": classes, "sha256": digest}


def _plain_label(label: Any) -> Any:
    return label if isinstance(label, bool | int | float | str) else str(label)


def _plan_as_dict(plan: Plan) -> dict[str, Any]:
    return {name: None if value != value else value for name, value in asdict(plan).items()}  # JSON has no NaN


def _plan_from_dict(told: Mapping[str, Any]) -> Plan:
    fields: dict[str, Any] = {name: float("nan") if value is None else value for name, value in told.items()}
    return Plan(**fields)


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of all runs: the latest, but a mapping, such as that of learners, has those of all."""
    both = [name for name, value in new.items() if isinstance(value, dict) and isinstance(old.get(name), dict)]
    return {**old, **new, **{name: {**old[name], **new[name]} for name in both}}


def _versions(packages: Iterable[str]) -> dict[str, str]:
    found = dict(_installed())
    for package in sorted(set(packages) - {"sklearn", *found}):
        number = getattr(sys.modules.get(package), "__version__", None)
        found |= {package: str(number)} if number else {}
    return found


@cache
def _installed() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("tellapart", "numpy", "scipy", "scikit-learn", "joblib"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from its sources
            found[package] = "unknown"
    return found
