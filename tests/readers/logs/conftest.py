"""What the tests of several formats share: how a file begins, and copies of it that are damaged."""

import random

import pytest

from tellapart.errors import TellapartError
from tellapart.readers.logs.json_stream import first_keys
from tellapart.readers.logs.run import Head


@pytest.fixture(scope="session")
def head():
    """Return the beginning of a file, or the names in a folder, as the readers get them."""

    def of(path):
        if path.is_dir():
            files = (str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())
            return Head(path=path, names=tuple(sorted(files)))
        start = path.read_bytes()[:65_536]
        return Head(path=path, start=start, keys=first_keys(start))

    return of


@pytest.fixture(scope="session")
def damaged():
    """Yield copies of a file: cut short, with bytes that changed, with values of another kind."""

    def of(path, copies=60):
        draw, text = random.Random(10), path.read_bytes()  # noqa: S311  # damage is no secret
        for _ in range(copies):
            index = draw.randrange(len(text))
            yield text[:index]
            yield text[:index] + bytes([draw.randrange(256)]) + text[index + 1 :]
            for old, new in ((b"{", b"["), (b'"', b"7"), (b": [", b": 3, ["), (b": {", b": null, {"), (b"[", b"{")):
                result = text.find(old, index)
                if result >= 0:
                    yield text[:result] + new + text[result + len(old) :]
            start, end = text.find(b': "', index), text.find(b'",', index)
            if 0 <= start < end:
                yield text[: start + 2] + b"[null]" + text[end + 1 :]

    return of


@pytest.fixture(scope="session")
def refusal():
    """Return the error that a call ends in, if it is one of ours: the only kind that a bad file may lead to."""

    def of(call, *arguments, **options):
        try:
            call(*arguments, **options)
        except TellapartError as error:
            return str(error)
        return ""

    return of
