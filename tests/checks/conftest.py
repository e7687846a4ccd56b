"""What the tests of checks share: a file's name says which code it is about."""

import numpy as np
import pytest

from tellapart import find_methods


@pytest.fixture
def code(request):
    return request.path.stem.removeprefix("test_").upper()


@pytest.fixture
def check(code):
    """Find the check of this code in an answer, which has it once."""

    def find(answer):
        (found,) = (each for each in answer.checks if each.code == code)
        return found

    return find


@pytest.fixture
def quiet(code):
    """Tell whether an answer says nothing against itself by this code: it does not carry it, or it holds."""
    return lambda answer: all(np.all(each.holds) for each in answer.checks if each.code == code)


@pytest.fixture
def carriers(code):
    """Return the names of the methods that carry the check."""
    return {method.name for method in find_methods() if code in {each.code for each in method.assumes}}
