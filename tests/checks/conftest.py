"""Fixtures of the tests of checks; the name of a file has the code of its check."""

import numpy as np
import pytest

from tellapart import find_methods


@pytest.fixture
def code(request):
    return request.path.stem.removeprefix("test_").upper()


@pytest.fixture
def check(code):
    """Return the check of this code in an answer, which has it once."""

    def find(answer):
        (found,) = (each for each in answer.checks if each.code == code)
        return found

    return find


@pytest.fixture
def quiet(code):
    """Return whether no check of this code fails in an answer."""
    return lambda answer: all(np.all(each.holds) for each in answer.checks if each.code == code)


@pytest.fixture
def carriers(code):
    """Return the names of the methods with this check."""
    return {method.name for method in find_methods() if code in {each.code for each in method.assumes}}
