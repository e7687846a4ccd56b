"""The file of an experiment: every finished fit is committed at once, as plain values.

The file is an SQLite database, with a write-ahead log during writing: committed fits survive a crash, and several
processes may use it at a time. Afterwards it is a single file.
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

from ..errors import InvalidInput, InvalidOption, OutputNotWritten, StoreMismatch, TellapartError
from ..evidence.plan import Plan
from ..text_layout import printable
from ..typing_ import IntArray
from .fingerprints import changes
from .fit import Fit
from .plans import Layout, Split
from .task import Task

_APPLICATION = 0x74656C6C  # "tell" in the header identifies the file
_FORMAT = 1
_MAGIC = b"SQLite format 3\x00"  # the first bytes of the file
_DAMAGE_ERRORS = (  # errors from reading a file that other programs have changed
    *(ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError),
    zlib.error,
)
# SQLite messages about an intact file: a full disk, or a lock of another process.
_SYSTEM_SIGNS = ("locked", "full", "readonly", "unable to open", "I/O")
_SHOWN = 120  # characters of SQLite's message that are shown
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
class StoredDesign:
    """The inputs of an experiment, which must be the same for all its fits."""

    data: Mapping[str, Any]  # fingerprint of the examples
    labels: IntArray  # indices of the classes
    classes: tuple[Any, ...]
    layout: Layout
    learners: Mapping[str, Mapping[str, Any]]  # fingerprints by name
    root: int
    seeds: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    packages: frozenset[str] = frozenset()  # of the learners


class RaceStore:
    """The open file of an experiment, a context manager."""

    def __init__(self, path: str | Path, *, reading: bool = False) -> None:
        if not isinstance(path, str | os.PathLike):
            raise InvalidOption(f"`store` must be the path of a file, got {path!r}.")
        self.path = Path(path)
        self._run = 0
        self._logs = False  # whether we write
        self._base = _open_file(self.path, reading=reading)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._logs:
            with suppress(sqlite3.Error):  # other processes still write: the last of them closes the log
                self._base.execute("PRAGMA busy_timeout = 0")
                self._base.execute("PRAGMA journal_mode = DELETE").fetchone()
        self._base.close()
        if isinstance(error, sqlite3.OperationalError) and any(sign in str(error) for sign in _SYSTEM_SIGNS):
            raise InvalidInput(f"`store` {str(self.path)!r} cannot be used: {error}.") from error
        if isinstance(error, sqlite3.Error | UnicodeDecodeError):  # even SQLite's message may be undecodable
            raise _damaged_store_error(self.path, error) from error

    @contextmanager
    def sound(self) -> Iterator[None]:
        """Raise InvalidInput if the content is damaged."""
        try:
            yield
        except (TellapartError, sqlite3.Error):
            raise
        except _DAMAGE_ERRORS as error:
            raise _damaged_store_error(self.path, error) from error

    # --- The design -------------------------------------------------------------------------------

    def begin(self, design: StoredDesign, *, retry_failed: bool = False) -> dict[Task, Fit]:
        """Create the file or check that its experiment is the same, and return the finished fits."""
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        try:
            with self.sound():
                if self._is_new():
                    self._create_tables(design)
                else:
                    self._compare_design(design)
                self._add_learners(design.learners)
                self._write_value("settings", _merge_settings(self.settings, design.settings))
            if retry_failed:
                names = list(design.learners)
                marks = ", ".join("?" * len(names))
                base.execute(f"DELETE FROM fits WHERE failure IS NOT NULL AND learner IN ({marks})", names)  # noqa: S608
            started = datetime.now(UTC).isoformat(timespec="seconds")
            package_versions = json.dumps(_package_versions(design.packages))
            made = base.execute("INSERT INTO runs (begun, versions) VALUES (?, ?)", (started, package_versions))
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

    def _create_tables(self, design: StoredDesign) -> None:
        base = self._base
        for statement in _SCHEMA.split(";"):
            base.execute(statement)
        base.execute(f"PRAGMA application_id = {_APPLICATION}")
        base.execute(f"PRAGMA user_version = {_FORMAT}")
        self._write_value("created", datetime.now(UTC).isoformat(timespec="seconds"))
        self._write_value("classes", [_plain_label(label) for label in design.classes])
        self._write_value("seeds", design.seeds)
        self._write_value("rng", design.root)
        self._write_value("splits", _digest_splits(design.layout.splits))
        codes = _pack_indices(design.labels)
        base.execute("INSERT INTO data VALUES ('X', ?, NULL)", (json.dumps(design.data),))
        base.execute("INSERT INTO data VALUES ('y', ?, ?)", (json.dumps(_fingerprint_labels(design)), codes))
        plans = {"": design.layout.plan, **design.layout.plans}
        rows = [(name, json.dumps(_plan_as_dict(plan))) for name, plan in plans.items()]
        base.executemany("INSERT INTO plan VALUES (?, ?)", rows)
        splits = (
            (index, split.part, split.replicate, split.fold, _pack_indices(split.train), _pack_indices(split.test))
            for index, split in enumerate(design.layout.splits)
        )
        base.executemany("INSERT INTO splits VALUES (?, ?, ?, ?, ?, ?)", splits)

    def _compare_design(self, design: StoredDesign) -> None:
        """Raise StoreMismatch if the file has another experiment, or an error if it is damaged."""
        self._read_design()
        fingerprints_by_name = dict(self._base.execute("SELECT name, fingerprint FROM data"))
        differences = changes(json.loads(fingerprints_by_name["X"]), _as_json(design.data), "X")
        differences += changes(json.loads(fingerprints_by_name["y"]), _as_json(_fingerprint_labels(design)), "y")
        differences += changes(self._read_value("rng"), design.root, "rng")
        differences += changes(self._read_value("seeds"), design.seeds, "seeds")
        plan = self._read_plans()[""]
        differences += changes(plan.name, design.layout.plan.name, "plan")
        if not differences and self._read_value("splits") != _digest_splits(design.layout.splits):
            differences = [f"plan {plan.name} has other splits (stratify, groups, learning_curve or splitter)"]
        for name, old in self._read_learners().items():
            if name in design.learners:
                learner_changes = changes(old, _as_json(design.learners[name]))
                differences += [f"learner {name!r}: {change}" for change in learner_changes]
        if differences:
            first = "; ".join([*differences[:3], *[f"and {len(differences) - 3} more"] * (len(differences) > 3)])
            raise StoreMismatch(
                f"`store` {str(self.path)!r} must have the same experiment, got another: {first}. Use another file, or"
                " delete this one."
            )

    def _add_learners(self, learners: Mapping[str, Mapping[str, Any]]) -> None:
        stored = self._read_learners()
        new = [(name, json.dumps(fingerprint)) for name, fingerprint in learners.items() if name not in stored]
        self._base.executemany("INSERT INTO learners (name, fingerprint) VALUES (?, ?)", new)

    def _read_learners(self) -> dict[str, Any]:
        rows = self._base.execute("SELECT name, fingerprint FROM learners ORDER BY place")
        return {name: json.loads(fingerprint) for name, fingerprint in rows}

    def _read_plans(self) -> dict[str, Plan]:
        rows = self._base.execute("SELECT name, plan FROM plan ORDER BY rowid")
        return {name: _plan_from_dict(json.loads(fields)) for name, fields in rows}

    def _write_value(self, name: str, value: Any) -> None:
        self._base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, json.dumps(value)))

    def _read_value(self, name: str) -> Any:
        row = self._base.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    # --- Fits -------------------------------------------------------------------------------------

    def keep(self, fit: Fit) -> None:
        """Commit a finished fit, unless another process has already done so."""
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
        except sqlite3.Error as error:  # for example a full disk
            raise OutputNotWritten(
                f"`store` {str(self.path)!r} cannot be written: {error}. Its fits are kept: run the same call again"
                " after fixing this."
            ) from error

    def fits(self, design: StoredDesign) -> list[Fit]:
        """Return the finished fits of its learners."""
        query = (
            "SELECT learner, split, seed, dtype, predictions, classes, probabilities, seconds, failure,"
            " no_probabilities FROM fits WHERE learner = ? ORDER BY split, seed"
        )
        with self.sound():
            return [
                _fit_from_row(row, design) for name in design.learners for row in self._base.execute(query, (name,))
            ]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the fits in this file: different package versions."""
        numbers_by_package: dict[str, set[str]] = {}
        query = "SELECT versions FROM runs WHERE run IN (SELECT DISTINCT run FROM fits)"
        with self.sound():
            for (package_versions,) in self._base.execute(query).fetchall():
                for package, number in json.loads(package_versions).items():
                    numbers_by_package.setdefault(package, set()).add(number)
        several = [
            f"{name} {' and '.join(sorted(numbers))}"
            for name, numbers in numbers_by_package.items()
            if len(numbers) > 1
        ]
        return (f"the fits have different versions: {', '.join(several)}",) if several else ()

    # --- Reading without the learners -------------------------------------------------------------

    def design(self) -> StoredDesign:
        """Return the design of the experiment in this file."""
        with self.sound():
            if self._is_new():
                raise InvalidInput(f"`store` must have an experiment, got the empty file {str(self.path)!r}.")
            return self._read_design()

    def _read_design(self) -> StoredDesign:
        learners = self._read_learners()
        if not learners or not all(isinstance(name, str) for name in learners):
            raise ValueError("learners without names")
        data_row = self._base.execute("SELECT fingerprint FROM data WHERE name = 'X'").fetchone()
        codes = self._base.execute("SELECT codes FROM data WHERE name = 'y'").fetchone()
        plans, classes = self._read_plans(), tuple(self._read_value("classes"))
        rows = self._base.execute("SELECT part, replicate, fold, train, test FROM splits ORDER BY place")
        splits = tuple(
            Split(part, replicate, fold, _unpack_indices(train), _unpack_indices(test))
            for part, replicate, fold, train, test in rows
        )
        labels = _unpack_indices(codes[0])
        if _digest_splits(splits) != self._read_value("splits"):
            raise ValueError("splits have changed")
        if not _are_all_between(labels, 0, len(classes) - 1):
            raise ValueError("labels are not classes")
        return StoredDesign(
            data=json.loads(data_row[0]),
            labels=labels,
            classes=classes,
            layout=Layout(plans.pop(""), splits, plans),
            learners=learners,
            root=int(self._read_value("rng")),
            seeds=int(self._read_value("seeds")),
            settings=self.settings,
        )

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the experiment."""
        return self._read_value("settings") or {}

    @property
    def root(self) -> int | None:
        """The seed of the experiment in this file, None if it is empty."""
        return None if self._is_new() else self._read_value("rng")


def _open_file(path: Path, *, reading: bool) -> sqlite3.Connection:
    """Open a new or existing file, or raise InvalidInput without changing it."""
    try:
        if path.is_dir() or (reading and not path.exists()):
            kind = "a directory" if path.is_dir() else "a missing file"
            raise InvalidInput(f"`store` must be an existing file, got {kind}: {str(path)!r}.")
        header = _read_header(path)
        if header or reading:
            _validate_header(header, path)
        return _open_to_read(path, header) if reading else _connect(path, "", "PRAGMA synchronous = NORMAL")
    except InvalidInput:
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.OperationalError) and not _is_whole(path):
            raise InvalidInput(f"`store` {str(path)!r} cannot be opened: {error}. Check its directory.") from error
        raise _damaged_store_error(path, error) from error
    except (OSError, ValueError) as error:  # an invalid file name
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(f"`store` {str(path)!r} cannot be opened: {why}. Check its directory.") from error


def _is_whole(path: Path) -> bool:
    """Return whether the file is an SQLite database, so that errors in opening it are damage."""
    try:
        return _read_header(path).startswith(_MAGIC)
    except OSError:
        return False


def _damaged_store_error(path: Path, error: BaseException) -> InvalidInput:
    message = str(error) if isinstance(error, sqlite3.Error) else f"{type(error).__name__}: {error}"
    reason = " ".join(printable(message).split())[:_SHOWN]  # it may quote damaged content
    return InvalidInput(f"`store` {str(path)!r} is damaged ({reason}). Use another file, or delete this one.")


def _read_header(path: Path) -> bytes:
    """Return the first bytes of the file; none if it is new."""
    if not path.exists() or not path.stat().st_size:
        return b""
    with path.open("rb") as file:
        return file.read(100)


def _validate_header(header: bytes, path: Path) -> None:
    made, kind = (int.from_bytes(header[at : at + 4]) for at in (60, 68))  # user_version, application_id
    if not header.startswith(_MAGIC) or kind != _APPLICATION:
        raise InvalidInput(f"`store` must be the file of an experiment, got {str(path)!r}. Use another file.")
    if made > _FORMAT:
        raise InvalidInput(f"`store` {str(path)!r} must have format {_FORMAT} or older, got {made}. Upgrade tellapart.")


def _open_to_read(path: Path, header: bytes) -> sqlite3.Connection:
    """Open the file without creating others beside it."""
    logged = header[18] == 2  # a process writes, or was interrupted
    if logged and not Path(f"{path}-wal").exists():
        return _connect(path, "?immutable=1")
    try:
        return _connect(path, "?mode=ro")
    except sqlite3.OperationalError:  # the log cannot be opened in a read-only directory
        return _connect(path, "?immutable=1")


def _connect(path: Path, mode: str, *pragmas: str) -> sqlite3.Connection:
    base = sqlite3.connect(path.absolute().as_uri() + mode, uri=True, timeout=_PATIENCE, isolation_level=None)
    try:
        for statement in ("SELECT count(*) FROM sqlite_master", *pragmas):
            base.execute(statement).fetchone()
    except BaseException:  # the error message itself may be undecodable
        base.close()
        raise
    return base


# --- Stored values --------------------------------------------------------------------------------


def _pack_indices(places: IntArray) -> bytes:
    """Return indices as compressed differences, which are small for sorted ones."""
    steps = np.diff(np.asarray(places, dtype=np.int64), prepend=0)
    return zlib.compress(
        steps.astype("<i4" if _fits_32_bits(steps) else "<i8").tobytes() + (b"4" if _fits_32_bits(steps) else b"8"), 1
    )


def _fits_32_bits(steps: Any) -> bool:
    return bool(steps.size == 0 or np.abs(steps).max() < 2**31)


def _unpack_indices(blob: bytes) -> IntArray:
    raw = zlib.decompress(blob)
    places: IntArray = np.cumsum(np.frombuffer(raw[:-1], f"<i{raw[-1:].decode()}"), dtype=np.int64)
    return places


def _fit_from_row(row: Sequence[Any], design: StoredDesign) -> Fit:
    """Return a fit from its row, or raise an error if the row is damaged."""
    learner, split, seed, dtype, codes, classes, shares, seconds, failure, why = row
    if not (isinstance(split, int) and isinstance(seed, int) and isinstance(seconds, float)):
        raise TypeError(f"split, seed and seconds of a fit of {learner} are not numbers")
    if not all(text is None or isinstance(text, str) for text in (failure, why)):
        raise TypeError(f"the failure of a fit of {learner} is not text")
    test = design.layout.splits[split].test.size
    predictions = probabilities = None
    if codes is not None:
        predictions = np.frombuffer(codes, {"|i1": "|i1", "<i4": "<i4"}[dtype]).astype(np.int64)
        if predictions.shape != (test,) or not _are_all_between(predictions, -1, len(design.classes) - 1):
            raise ValueError(f"predictions of {learner} on split {split} are invalid")
    elif failure is None:
        raise ValueError(f"{learner} has neither predictions nor a failure on split {split}")
    if shares is not None:
        probabilities = np.frombuffer(shares, "<f8").reshape(test, classes).astype(float)
    return Fit(learner, split, seed, predictions, probabilities, seconds, failure, why)


def _are_all_between(codes: IntArray, least: int, most: int) -> bool:
    return bool(codes.size and codes.min() >= least and codes.max() <= most)


def _digest_splits(splits: Sequence[Split]) -> str:
    made = hashlib.sha256()
    for split in splits:
        made.update(f"{split.part} {split.replicate} {split.fold} {split.train.size} {split.test.size} ".encode())
        made.update(np.ascontiguousarray(split.train, dtype="<i8").data)
        made.update(np.ascontiguousarray(split.test, dtype="<i8").data)
    return made.hexdigest()


def _fingerprint_labels(design: StoredDesign) -> dict[str, Any]:
    digest = hashlib.sha256(np.ascontiguousarray(design.labels, dtype="<i8").data).hexdigest()
    classes = [_plain_label(label) for label in design.classes]
    kind = type(design.classes[0]).__name__
    return {"examples": int(design.labels.size), "kind": kind, "classes": classes, "sha256": digest}


def _plain_label(label: Any) -> Any:
    return label if isinstance(label, bool | int | float | str) else str(label)


def _plan_as_dict(plan: Plan) -> dict[str, Any]:
    return {name: None if value != value else value for name, value in asdict(plan).items()}  # JSON has no NaN


def _plan_from_dict(stored: Mapping[str, Any]) -> Plan:
    fields: dict[str, Any] = {name: float("nan") if value is None else value for name, value in stored.items()}
    return Plan(**fields)


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _merge_settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of all runs: the latest, with mappings, such as that of learners, merged."""
    both = [name for name, value in new.items() if isinstance(value, dict) and isinstance(old.get(name), dict)]
    return {**old, **new, **{name: {**old[name], **new[name]} for name in both}}


def _package_versions(packages: Iterable[str]) -> dict[str, str]:
    numbers = dict(_installed_versions())
    for package in sorted(set(packages) - {"sklearn", *numbers}):
        number = getattr(sys.modules.get(package), "__version__", None)
        numbers |= {package: str(number)} if number else {}
    return numbers


@cache
def _installed_versions() -> dict[str, str]:
    numbers = {"python": platform.python_version()}
    for package in ("tellapart", "numpy", "scipy", "scikit-learn", "joblib"):
        try:
            numbers[package] = version(package)
        except PackageNotFoundError:  # run from its sources
            numbers[package] = "unknown"
    return numbers
