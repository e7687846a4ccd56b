"""What a learner and a data set are, in plain JSON: what a store compares when it is opened again.

Never by `repr`, which may hold an address and be another one tomorrow.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..typing_ import IntArray

Plain = Any  # None, numbers, texts, lists and mappings


def of_learner(learner: Any) -> dict[str, Plain]:
    """Return the learner's class and parameters; its attributes, if it does not tell parameters.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> of_learner(GaussianNB())
    {'class': 'sklearn.naive_bayes.GaussianNB', 'params': {'priors': None, 'var_smoothing': 1e-09}}
    """
    return _Canon().learner(learner)


def packages_of(learner: Any) -> set[str]:
    """Return the packages that the learner and those inside of it come from.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> packages_of(GaussianNB())
    {'sklearn'}
    """
    inside = learner.get_params(deep=True).values() if hasattr(learner, "get_params") else ()
    kinds = [type(learner), *(type(value) for value in inside if _is_learner(value))]
    return {kind.__module__.partition(".")[0] for kind in kinds}


class _Canon:
    """Turns values into plain JSON; knows which objects it is inside of, so that a circle ends."""

    def __init__(self) -> None:
        self.inside: list[int] = []  # addresses of the objects being described, for as long as they are
        self.told: set[int] = set()  # learners whose parameters are told elsewhere, under names of their own

    def learner(self, learner: Any) -> dict[str, Plain]:
        if not hasattr(learner, "get_params"):
            return self._guarded(learner, self._attributes)
        return self._guarded(learner, self._parameters)

    def _parameters(self, learner: Any) -> dict[str, Plain]:
        params = learner.get_params(deep=True)
        outer = self.told
        self.told = outer | {id(value) for value in params.values() if _is_learner(value)}
        try:
            return {"class": _named(type(learner)), "params": {name: self(params[name]) for name in sorted(params)}}
        finally:
            self.told = outer

    def _attributes(self, thing: Any) -> dict[str, Plain]:
        if hasattr(thing, "__dict__"):
            found = vars(thing)
            return {"class": _named(type(thing)), "params": {name: self(found[name]) for name in sorted(found)}}
        try:
            _, arguments, *state = thing.__reduce_ex__(2)  # how it would be copied: what it is made of
        except (TypeError, ValueError):
            return {"class": _named(type(thing))}
        return {"class": _named(type(thing)), "made of": self([arguments, *state[:1]])}

    def _guarded(self, thing: Any, describe: Any) -> dict[str, Plain]:
        if id(thing) in self.inside:
            return {"circle": len(self.inside) - self.inside.index(id(thing))}
        self.inside.append(id(thing))
        try:
            described: dict[str, Plain] = describe(thing)
            return described
        finally:
            self.inside.pop()

    def __call__(self, value: Any) -> Plain:  # noqa: PLR0911  # one line a kind of value
        """Return the value in plain JSON."""
        match value:
            case None | bool() | str():
                return value
            case np.generic() if value.dtype.kind in "biufU":
                return self(value.item())
            case int():
                return int(value)
            case float():
                return float(value) if math.isfinite(value) else {"float": str(float(value))}
            case bytes() | bytearray():
                return {"bytes": hashlib.sha256(value).hexdigest()}
            case np.ndarray():
                return _of_array(value)
            case list() | tuple():
                return [self(part) for part in value]
            case set() | frozenset():
                return {"set": sorted((self(part) for part in value), key=_text)}
            case dict():
                items = [[self(key), self(part)] for key, part in value.items()]
                return {"items": sorted(items, key=_text)}
        return self._thing(value)

    def _thing(self, value: Any) -> Plain:  # noqa: PLR0911
        match value:
            case type():
                return {"class": _named(value)}
            case functools.partial():
                return {"partial": [self(value.func), self(value.args), self(value.keywords)]}
            case MethodType():
                return {"method": value.__name__, "of": self(value.__self__)}
            case FunctionType() if _is_nameless(value):
                return self._guarded(value, self._function)
            case FunctionType() | BuiltinFunctionType() | np.ufunc():
                return {"function": _named(value)}
            case CodeType():
                return self([value.co_code, value.co_consts, value.co_names])
            case ModuleType():
                return {"module": value.__name__}
            case np.random.RandomState() if value is np.random.mtrand._rand:  # noqa: SLF001
                return {"class": _named(type(value)), "state": "global"}  # which every fit seeds anew
            case np.random.RandomState():
                return {"class": _named(type(value)), "state": self(list(value.get_state()))}
            case np.random.Generator():
                return {"class": _named(type(value)), "state": self(value.bit_generator.state)}
        if _is_learner(value):
            return {"class": _named(type(value))} if id(value) in self.told else self.learner(value)
        if _is_frame(value) or _is_sparse(value):
            return of_data(value)
        return self._guarded(value, self._attributes)

    def _function(self, function: FunctionType) -> dict[str, Plain]:
        """Describe a function that its name does not tell from others: by what it does and what it knows."""
        code, known = function.__code__, function.__globals__
        knows = {
            "defaults": [function.__defaults__, function.__kwdefaults__],
            "closure": [_content(cell) for cell in function.__closure__ or ()],
            "globals": {name: known[name] for name in code.co_names if isinstance(known.get(name), _VALUES)},
        }
        told = {"function": _named(function), "code": hashlib.sha256(_text(self(code)).encode()).hexdigest()}
        return told | {name: self(value) for name, value in knows.items()}


_VALUES = (bool, int, float, str, bytes)


def _is_nameless(function: FunctionType) -> bool:
    """Whether it is a lambda, a local function or one of a script, which may be another one tomorrow."""
    return "<" in function.__qualname__ or function.__module__ == "__main__"


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it holds nothing yet
        return None


def _is_learner(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _named(thing: Any) -> str:
    return f"{getattr(thing, '__module__', None) or 'builtins'}.{getattr(thing, '__qualname__', thing.__name__)}"


def _text(plain: Plain) -> str:
    return json.dumps(plain, sort_keys=True, ensure_ascii=False)


# --- Data -----------------------------------------------------------------------------------------


def of_data(data: Any) -> dict[str, Plain]:
    """Return kind, size and digest of a table: column by column where it has names, else as a whole.

    Examples
    --------
    >>> of_data(np.zeros((3, 2)))["shape"]
    [3, 2]
    """
    if _is_frame(data):
        names = [str(name) for name in getattr(data, "column_names", data.columns)]
        columns = {}
        for place, name in enumerate(names):
            told = name if name not in columns else f"{name} (column {place})"
            columns[told] = _of_array(_column(data, place))
        return {"kind": "frame", "names": names, "columns": columns}
    if _is_sparse(data):
        rows = data.tocsr()
        digest = _digest(rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64))
        return {"kind": "sparse", "shape": list(rows.shape), "dtype": str(rows.dtype), "sha256": digest}
    if isinstance(data, np.ndarray):
        return {"kind": "array", **_of_array(data)}
    listed = _text(_Canon()(list(data)))
    return {"kind": "list", "shape": [len(data)], "sha256": hashlib.sha256(listed.encode()).hexdigest()}


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "__getitem__") and hasattr(data, "shape")


def _is_sparse(data: Any) -> bool:
    return hasattr(data, "tocsr")


def _column(frame: Any, place: int) -> np.ndarray:
    if hasattr(frame, "iloc"):  # pandas allows two columns of one name
        return np.asarray(frame.iloc[:, place])
    if hasattr(frame, "column"):  # an Arrow table, whose `columns` are the columns themselves
        return np.asarray(frame.column(place))
    return np.asarray(frame[frame.columns[place]])


def _of_array(array: np.ndarray) -> dict[str, Plain]:
    digest = _digest(array)
    return {"shape": list(array.shape), "dtype": str(array.dtype), "sha256": digest}


def _digest(*arrays: np.ndarray | IntArray) -> str:
    made = hashlib.sha256()
    for array in arrays:
        if array.dtype.kind in "OT":
            made.update(_text(_Canon()(array.tolist())).encode())
        else:
            made.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return made.hexdigest()


# --- What became different ------------------------------------------------------------------------


def changes(old: Plain, new: Plain, name: str = "") -> list[str]:
    """Name what differs between two fingerprints.

    Examples
    --------
    >>> changes({"class": "a.B", "params": {"C": 1.0}}, {"class": "a.B", "params": {"C": 10.0}})
    ['C was 1.0 and is 10.0']
    """
    if _text(old) == _text(new):  # not by ==, to which 1 is 1.0 and True
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        if "sha256" in old and "sha256" in new and _text(old | {"sha256": 0}) == _text(new | {"sha256": 0}):
            return [f"{name} has other values"]
        if set(old) == set(new) or name == "params":
            keys = [*old, *(key for key in new if key not in old)]
            return [change for key in keys for change in changes(old.get(key), new.get(key), _path(name, key))]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [change for place, pair in pairs for change in changes(*pair, f"{name}[{place}]")]
    return [f"{name or 'it'} was {_shown(old)} and is {_shown(new)}"]


def _path(name: str, key: str) -> str:
    return key if not name or name == "params" else f"{name}.{key}"


def _shown(plain: Plain) -> str:
    text = plain if isinstance(plain, str) else _text(plain)
    return text if len(text) <= 60 else text[:57] + "..."
