"""Mitchell (1997), chapter 5, in a quick run: every verdict."""

from __future__ import annotations

import pytest

from tellapart.reproduce import find_exhibits

from .quick import check, shown

EXPECTED = {  # by exhibit, what deviates
    "table-5.1": {"68 %"},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts(name):
    check(shown("mitchell", name), EXPECTED[name])


def test_every_exhibit_is_looked_at():
    assert [exhibit.name for exhibit in find_exhibits("mitchell")] == list(EXPECTED)
