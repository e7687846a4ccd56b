"""Fingerprints of learners and data in plain JSON, which a store compares when it is opened again.

`repr` is not used, because it may contain an address.
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
    """Return the learner's class and parameters, or its attributes if it has no `get_params`.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> of_learner(GaussianNB())
    {'class': 'sklearn.naive_bayes.GaussianNB', 'params': {'priors': None, 'var_smoothing': 1e-09}}
    """
    return _Canon().learner(learner)


def packages_of(learner: Any) -> set[str]:
    """Return the packages of the learner and of those inside it.

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
    """Converts values to plain JSON, and detects circular references."""

    def __init__(self) -> None:
        self.inside: list[int] = []  # addresses of the objects being described, for as long as they are
        self.described: set[int] = set()  # learners whose parameters are described elsewhere, under their own names

    def learner(self, learner: Any) -> dict[str, Plain]:
        if not hasattr(learner, "get_params"):
            return self._describe_once(learner, self._describe_attributes)
        return self._describe_once(learner, self._describe_parameters)

    def _describe_parameters(self, learner: Any) -> dict[str, Plain]:
        params = learner.get_params(deep=True)
        outer = self.described
        self.described = outer | {id(value) for value in params.values() if _is_learner(value)}
        try:
            return {
                "class": _qualified_name(type(learner)),
                "params": {name: self(params[name]) for name in sorted(params)},
            }
        finally:
            self.described = outer

    def _describe_attributes(self, instance: Any) -> dict[str, Plain]:
        if hasattr(instance, "__dict__"):
            attributes = vars(instance)
            return {
                "class": _qualified_name(type(instance)),
                "params": {name: self(attributes[name]) for name in sorted(attributes)},
            }
        try:
            _, arguments, *state = instance.__reduce_ex__(2)  # how it would be copied
        except (TypeError, ValueError):
            return {"class": _qualified_name(type(instance))}
        return {"class": _qualified_name(type(instance)), "made of": self([arguments, *state[:1]])}

    def _describe_once(self, instance: Any, describe: Any) -> dict[str, Plain]:
        if id(instance) in self.inside:
            return {"circle": len(self.inside) - self.inside.index(id(instance))}
        self.inside.append(id(instance))
        try:
            described: dict[str, Plain] = describe(instance)
            return described
        finally:
            self.inside.pop()

    def __call__(self, value: Any) -> Plain:  # noqa: PLR0911  # one line for each kind of value
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
                return [self(item) for item in value]
            case set() | frozenset():
                return {"set": sorted((self(item) for item in value), key=_as_json_text)}
            case dict():
                items = [[self(key), self(item)] for key, item in value.items()]
                return {"items": sorted(items, key=_as_json_text)}
        return self._describe_object(value)

    def _describe_object(self, value: Any) -> Plain:  # noqa: PLR0911
        match value:
            case type():
                return {"class": _qualified_name(value)}
            case functools.partial():
                return {"partial": [self(value.func), self(value.args), self(value.keywords)]}
            case MethodType():
                return {"method": value.__name__, "of": self(value.__self__)}
            case FunctionType() if _is_nameless(value):
                return self._describe_once(value, self._describe_function)
            case FunctionType() | BuiltinFunctionType() | np.ufunc():
                return {"function": _qualified_name(value)}
            case CodeType():
                return self([value.co_code, value.co_consts, value.co_names])
            case ModuleType():
                return {"module": value.__name__}
            case np.random.RandomState() if value is np.random.mtrand._rand:  # noqa: SLF001
                return {"class": _qualified_name(type(value)), "state": "global"}  # which every fit seeds anew
            case np.random.RandomState():
                return {"class": _qualified_name(type(value)), "state": self(list(value.get_state()))}
            case np.random.Generator():
                return {"class": _qualified_name(type(value)), "state": self(value.bit_generator.state)}
        if _is_learner(value):
            return {"class": _qualified_name(type(value))} if id(value) in self.described else self.learner(value)
        if _is_frame(value) or _is_sparse(value):
            return of_data(value)
        return self._describe_once(value, self._describe_attributes)

    def _describe_function(self, function: FunctionType) -> dict[str, Plain]:
        """Return the code, defaults, closure and globals of a function without a unique name."""
        code, module_globals = function.__code__, function.__globals__
        surroundings = {
            "defaults": [function.__defaults__, function.__kwdefaults__],
            "closure": [_read_cell(cell) for cell in function.__closure__ or ()],
            "globals": {
                name: module_globals[name] for name in code.co_names if isinstance(module_globals.get(name), _VALUES)
            },
        }
        description = {
            "function": _qualified_name(function),
            "code": hashlib.sha256(_as_json_text(self(code)).encode()).hexdigest(),
        }
        return description | {name: self(value) for name, value in surroundings.items()}


_VALUES = (bool, int, float, str, bytes)


def _is_nameless(function: FunctionType) -> bool:
    """Return whether it is a lambda, a local function or one of a script, whose name is not unique."""
    return "<" in function.__qualname__ or function.__module__ == "__main__"


def _read_cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell
        return None


def _is_learner(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _qualified_name(kind: Any) -> str:
    return f"{getattr(kind, '__module__', None) or 'builtins'}.{getattr(kind, '__qualname__', kind.__name__)}"


def _as_json_text(plain: Plain) -> str:
    return json.dumps(plain, sort_keys=True, ensure_ascii=False)


# --- Data -----------------------------------------------------------------------------------------


def of_data(data: Any) -> dict[str, Plain]:
    """Return kind, size and digest of a table, by column if it has names.

    Examples
    --------
    >>> of_data(np.zeros((3, 2)))["shape"]
    [3, 2]
    """
    if _is_frame(data):
        names = [str(name) for name in getattr(data, "column_names", data.columns)]
        columns = {}
        for index, name in enumerate(names):
            key = name if name not in columns else f"{name} (column {index})"
            columns[key] = _of_array(_take_column(data, index))
        return {"kind": "frame", "names": names, "columns": columns}
    if _is_sparse(data):
        rows = data.tocsr()
        digest = _digest_arrays(rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64))
        return {"kind": "sparse", "shape": list(rows.shape), "dtype": str(rows.dtype), "sha256": digest}
    if isinstance(data, np.ndarray):
        return {"kind": "array", **_of_array(data)}
    listed = _as_json_text(_Canon()(list(data)))
    return {"kind": "list", "shape": [len(data)], "sha256": hashlib.sha256(listed.encode()).hexdigest()}


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "__getitem__") and hasattr(data, "shape")


def _is_sparse(data: Any) -> bool:
    return hasattr(data, "tocsr")


def _take_column(frame: Any, index: int) -> np.ndarray:
    if hasattr(frame, "iloc"):  # pandas allows two columns of one name
        return np.asarray(frame.iloc[:, index])
    if hasattr(frame, "column"):  # an Arrow table, whose `columns` are the columns themselves
        return np.asarray(frame.column(index))
    return np.asarray(frame[frame.columns[index]])


def _of_array(array: np.ndarray) -> dict[str, Plain]:
    digest = _digest_arrays(array)
    return {"shape": list(array.shape), "dtype": str(array.dtype), "sha256": digest}


def _digest_arrays(*arrays: np.ndarray | IntArray) -> str:
    made = hashlib.sha256()
    for array in arrays:
        if array.dtype.kind in "OT":
            made.update(_as_json_text(_Canon()(array.tolist())).encode())
        else:
            made.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return made.hexdigest()


# --- Differences of fingerprints ------------------------------------------------------------------


def changes(old: Plain, new: Plain, name: str = "") -> list[str]:
    """Return what differs between two fingerprints, as text.

    Examples
    --------
    >>> changes({"class": "a.B", "params": {"C": 1.0}}, {"class": "a.B", "params": {"C": 10.0}})
    ['C was 1.0 and is 10.0']
    """
    if _as_json_text(old) == _as_json_text(new):  # not by ==, to which 1 is 1.0 and True
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        if (
            "sha256" in old
            and "sha256" in new
            and _as_json_text(old | {"sha256": 0}) == _as_json_text(new | {"sha256": 0})
        ):
            return [f"{name} has other values"]
        if set(old) == set(new) or name == "params":
            keys = [*old, *(key for key in new if key not in old)]
            return [change for key in keys for change in changes(old.get(key), new.get(key), _join_path(name, key))]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [change for index, pair in pairs for change in changes(*pair, f"{name}[{index}]")]
    return [f"{name or 'it'} was {_shorten_value(old)} and is {_shorten_value(new)}"]


def _join_path(name: str, key: str) -> str:
    return key if not name or name == "params" else f"{name}.{key}"


def _shorten_value(plain: Plain) -> str:
    text = plain if isinstance(plain, str) else _as_json_text(plain)
    return text if len(text) <= 60 else text[:57] + "..."
