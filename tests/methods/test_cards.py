"""Cards: every test and interval has one, and it keeps what the standing promises."""

import json
from importlib.resources import files

import pytest

from tellapart import find_methods
from tellapart.evidence import PairedTable, ScoreTable
from tellapart.methods import Offer, Standing, find_method
from tellapart.methods.cards import CARRIED, Card, CardRow, RateSummary, breaches, card, file_of, holds_at, key_of

METHODS = [
    method
    for method in find_methods()
    if method.gives in CARRIED and method.function.__module__.startswith("tellapart.")
]
PROMISING = [method for method in METHODS if method.guarantees or method.standing in {"recommended", "sound"}]


def each(methods):
    return pytest.mark.parametrize("method", methods, ids=lambda method: f"{method.evidence.__name__} {key_of(method)}")


@each(METHODS)
def test_every_method_has_a_card(method):
    measured = card(method)
    assert measured is not None, f"run: python -m tellapart.lab.cards --method {method.name}"
    assert measured.entries
    limits = method.gives == "interval" or (method.gives == "pairs" and method.evidence is not ScoreTable)
    for row in measured.entries:
        assert (row.size is not None) == (method.gives != "interval")
        assert (row.coverage is not None) == limits  # mean ranks have none
        if row.trials:
            assert row.seed is not None


@each(PROMISING)
def test_a_card_keeps_what_the_standing_promises(method):
    assert breaches(method, card(method)) == []


@each(METHODS)
def test_where_is_reported_in_facts_that_the_designs_know(method):
    """A range that no row has facts for would exempt the method from all of its promises."""
    known = {name for row in card(method).entries for name in row.facts}
    assert set(method.where) <= known
    assert not method.where or method.validity != Offer.__dataclass_fields__["validity"].default, (
        "say in words what where says"
    )


def test_a_file_has_no_card_of_a_method_that_is_no_more():
    every = {}
    for method in METHODS:
        every.setdefault(file_of(method.evidence.__name__), set()).add(key_of(method))
    kept = {path.name: path for path in files("tellapart.methods.cards").iterdir() if path.name.endswith(".json")}
    assert kept.keys() == every.keys()
    for name, path in kept.items():
        data = json.loads(path.read_text(encoding="utf-8"))
        assert set(data["cards"]) == every[name]
        assert file_of(data["command"].split()[-1]) == name


@each(METHODS)
def test_a_row_survives_its_file(method):
    for row in card(method).entries:
        assert CardRow.from_dict(json.loads(json.dumps(row.as_dict()))) == row


# --- What is a breach ---------------------------------------------------------------------------------------------

TEST = find_method("mcnemar-mid-p", "test", PairedTable)  # recommended, disagreement up to 0.8
SOUND = find_method("mcnemar", "test", PairedTable)
EXACT = find_method("mcnemar-exact", "test", PairedTable)  # said to guarantee
LIMITS = find_method("tango", "interval", PairedTable)


def list_breaches(method, **figures):
    facts = figures.pop("facts", {"examples": 50, "disagreement": [0.02, 0.8]})
    row = CardRow(design="50 examples", facts=facts, designs=4, **figures)
    return breaches(method, Card(method=method, alpha=0.05, command="", entries=(row,)))


@pytest.mark.parametrize(
    ("method", "size", "broken"),
    [(TEST, 0.06, 0), (TEST, 0.0601, 1), (SOUND, 0.085, 0), (SOUND, 0.0851, 1), (EXACT, 0.05, 0), (EXACT, 0.0501, 1)],
)
def test_the_bounds_of_a_size(method, size, broken):
    """1.2 alpha recommended, 1.7 alpha sound, alpha where it is guaranteed."""
    assert len(list_breaches(method, size=RateSummary(0.04, size, "here"))) == broken


@pytest.mark.parametrize(
    ("mean", "least", "broken"), [(0.94, 0.83, 0), (0.9399, 0.83, 1), (0.94, 0.8299, 1), (0.93, 0.8, 2)]
)
def test_the_bounds_of_a_coverage(mean, least, broken):
    """Recommended: the mean at least the level less 0.01, the smallest at least the level less 0.12."""
    assert len(list_breaches(LIMITS, coverage=RateSummary(mean, least, "here"))) == broken


def test_trials_break_a_bound_only_if_their_interval_leaves_it_out():
    """73 of 1000: 0.0577 to 0.0909 by Clopper and Pearson; 78 of 1000: 0.0622 to 0.0964 (scipy.stats.beta)."""
    assert not list_breaches(TEST, trials=1000, seed=0, size=RateSummary(0.05, 0.073, "here"))
    assert list_breaches(TEST, trials=1000, seed=0, size=RateSummary(0.05, 0.078, "here"))


def test_outside_of_its_range_nothing_is_promised_but_some_row_must_be_inside():
    assert not holds_at(TEST, {"examples": 50, "disagreement": 0.9})
    assert not holds_at(TEST, {"examples": 4, "disagreement": 0.1})  # nobody promises anything below 5 examples
    assert not holds_at(TEST, {"examples": 50})
    (message,) = list_breaches(TEST, facts={"examples": 50, "disagreement": 0.9}, size=RateSummary(0.06, 0.2, "here"))
    assert "no measured design is within the valid range of the method" in message


def test_heuristics_promise_nothing():
    (betas,) = find_methods(name="two-betas", gives="interval")
    assert betas.standing is Standing.HEURISTIC
    assert not list_breaches(betas, coverage=RateSummary(0.5, 0.1, "here"))


def test_a_card_says_its_rows_in_every_form():
    measured = card(LIMITS)
    assert len(str(measured).splitlines()) > len(measured.entries)
    assert str(measured).splitlines()[1].split() == ["coverage", "coverage"]
    assert str(measured).splitlines()[2].split() == ["design", "mean", "min", "width"]
    assert measured.to_markdown().count("\n") == len(measured.entries) + 1
    assert json.loads(measured.to_json())["rows"][0]["within"] is True


def test_a_method_from_elsewhere_has_no_card():
    """A plugin may take the place of a name; our figures are not its own."""
    other = Offer(
        **{name: getattr(LIMITS, name) for name in LIMITS.__dataclass_fields__} | {"function": lambda table: table}
    )
    assert card(other) is None
