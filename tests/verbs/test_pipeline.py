"""What the pipeline of the verbs promises of every kind of evidence: dispatch, one refusal, choice, reduction."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption, TellapartError, UnknownMethod
from tellapart.evidence import ErrorPatterns, Evidence, LabelPatterns, TrainingSets
from tellapart.methods import find_method, find_methods, look_up
from tellapart.verbs import converts, dispatch
from tellapart.verbs.pipeline import choose, reduce
from tellapart.verbs.request import Request

RNG = np.random.default_rng(7)
TRUTH = RNG.integers(0, 2, 120)
PREDICTED = {
    name: np.where(RNG.random(120) < right, TRUTH, 1 - TRUTH)
    for name, right in zip("abc", (0.8, 0.6, 0.7), strict=True)
}
WRONG = {name: predicted != TRUTH for name, predicted in PREDICTED.items()}
RIGHT = {name: (~wrong).astype(float) for name, wrong in WRONG.items()}
GRADED = {
    name: 0.5 * TRUTH + RNG.normal(scale=spread, size=120) for name, spread in zip("abc", (0.3, 0.6, 0.4), strict=True)
}
BY_SPLIT = {name: RNG.normal(0.9, 0.02, size=10) for name in "abc"}
BY_EXAMPLE = (RNG.random((3, 6, 40)) < 0.3).astype(float)
BY_DATASET = RNG.normal(0.8, 0.1, size=(12, 3))


def first(count, columns):
    return {name: columns[name] for name in "abc"[:count]}


def patterns_of(count):
    rows, counts = np.unique(np.stack([*first(count, WRONG).values()], axis=-1), axis=0, return_counts=True)
    return ErrorPatterns(tuple("abc"[:count]), rows, counts)


ONE = {
    "ErrorCount": ta.ErrorCount(3, 120),
    "StratifiedCount": ta.StratifiedCount([3, 1], [50, 20], shares=[0.7, 0.3]),
    "ConfusionMatrix": ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]),
    "ClassScores": ta.ClassScores.from_scores(TRUTH, first(1, GRADED)),
    "Outcomes": ta.Outcomes.from_scores(first(1, GRADED), metric="rouge"),
    "Resamples": ta.Resamples.from_scores(first(1, BY_SPLIT), plan="10-fold", examples=150),
    "TrainingSets": TrainingSets(BY_EXAMPLE[:1], learners=("a",)),
}
TWO = {
    "PairedTable": ta.PairedTable(20, 25, 10, 45, models=("a", "b")),
    "IndependentCounts": ta.IndependentCounts(ta.ErrorCount(45, 100), ta.ErrorCount(30, 100), models=("a", "b")),
    "ErrorPatterns": patterns_of(2),
    "PairedConfusion": LabelPatterns.from_predictions(TRUTH, PREDICTED).pair("a", "b"),
    "ClassScores": ta.ClassScores.from_scores(TRUTH, first(2, GRADED)),
    "Outcomes": ta.Outcomes.from_scores(first(2, GRADED), metric="rouge"),
    "Resamples": ta.Resamples.from_scores(first(2, BY_SPLIT), plan="10-fold", examples=150),
    "TrainingSets": TrainingSets(BY_EXAMPLE[:2], learners=("a", "b")),
    "ScoreTable": ta.ScoreTable.from_scores(BY_DATASET[:, :2], ("a", "b")),
}
SEVERAL = {
    "ErrorPatterns": patterns_of(3),
    "LabelPatterns": LabelPatterns.from_predictions(TRUTH, PREDICTED),
    "ClassScores": ta.ClassScores.from_scores(TRUTH, GRADED),
    "Outcomes": ta.Outcomes.from_scores(GRADED, metric="rouge"),
    "Resamples": ta.Resamples.from_scores(BY_SPLIT, plan="10-fold", examples=150),
    "TrainingSets": TrainingSets(BY_EXAMPLE, learners=("a", "b", "c")),
    "ScoreTable": ta.ScoreTable.from_scores(BY_DATASET, ("a", "b", "c")),
}
COMPARED = {
    "ErrorCount": (ONE["ErrorCount"], {"against": 0.05}),
    **{f"two {name}": (evidence, {}) for name, evidence in TWO.items()},
    **{f"several {name}": (evidence, {}) for name, evidence in SEVERAL.items()},
}


# --- One refusal -------------------------------------------------------------------------------------

# Every optional keyword that is not for all evidence, with a value, and how the answer shows it (None: somehow). What
# is refused is refused by the keyword's name.
OPTIONAL = {
    "against": (0.1, lambda answer: answer.against == 0.1),
    "margin": (0.01, lambda answer: answer.margin == 0.01),
    "hypothesis": ("superior", lambda answer: answer.hypothesis.kind == "superior"),
    "adjust": ("bonferroni", lambda answer: answer.adjustment.method == "bonferroni"),
    "looks": (3, lambda answer: answer.note("looks") == 3),
    "learners": (("b", "a"), lambda answer: answer.evidence.models == ("b", "a")),
    "control": ("b", lambda answer: getattr(answer, "control", None) == "b" or answer.evidence.models[0] == "b"),
    "difference": (0.02, lambda answer: answer.note("power").difference == 0.02),
    "alternative": ("less", lambda answer: answer.alternative == "less"),
    "missing": ("drop", None),
    "reseeds": (2, None),
    "costs": ([[0, 1], [5, 0]], lambda answer: answer.evidence.metric.name == "cost"),
    "rope": (0.01, None),
    "side": ("upper", None),
    "colour": ("red", None),
}


@pytest.mark.parametrize("keyword", OPTIONAL)
@pytest.mark.parametrize("kind", COMPARED)
def test_a_keyword_is_heeded_or_refused_by_its_name(kind, keyword):
    evidence, needed = COMPARED[kind]
    value, shows = OPTIONAL[keyword]
    more = {"margin": 0.01} if keyword == "hypothesis" and len(evidence.models) == 2 else {}
    try:
        answer = ta.compare(evidence, **{**needed, **more, keyword: value})
    except (InvalidOption, InvalidEvidence) as refusal:
        assert keyword in str(refusal)  # noqa: PT017  # it may as well be heeded
    else:
        without = ta.compare(evidence, **needed, **more)
        assert shows(answer) if shows else answer.to_json() != without.to_json(), f"{keyword} is passed over"


@pytest.mark.parametrize("keyword", ["method", "interval"])
@pytest.mark.parametrize("value", ["", "nope", 3])
@pytest.mark.parametrize("kind", COMPARED)
def test_a_name_that_is_none_is_refused_with_those_there_are(kind, keyword, value):
    evidence, needed = COMPARED[kind]
    with pytest.raises(UnknownMethod, match=r"(?s)unknown method|gives no .*Choose one of"):
        ta.compare(evidence, **needed, **{keyword: value})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "up"}, "`alternative` must be one of"),
        ({"hypothesis": "nope"}, "`hypothesis` must be one of"),
        ({"learners": "ab"}, "`learners` must be a list of names"),
        ({"learners": ()}, "`learners` must be a list of names"),
        ({"learners": ("a", "zebra")}, "`learners` must be one of"),
        ({"learners": ("a", "a")}, "`learners` must be"),
        ({"looks": True}, "`looks` must be a whole number of 0 or more"),
        ({"reseeds": -1}, "`reseeds` must be a whole number of 0 or more"),
        ({"level": 95}, "`level` must be between 0 and 1"),
        ({"level": 0.9, "alpha": 0.2}, "`alpha` must be 1 - level, got level=0.9 and alpha=0.2"),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", COMPARED)
def test_a_value_that_cannot_be_is_refused_whatever_the_evidence(kind, options, message):
    evidence, needed = COMPARED[kind]
    with pytest.raises(InvalidOption, match=message):
        ta.compare(evidence, **needed, **options)


@pytest.mark.parametrize("kind", [name for name in TWO if name != "ErrorPatterns"])
@pytest.mark.parametrize("margin", [0, -0.01, np.nan, np.inf, True, "0.01"])
def test_a_margin_that_is_no_difference_is_refused(kind, margin):
    with pytest.raises(InvalidOption, match=r"`?margin`? must"):
        ta.compare(TWO[kind], margin=margin)


@pytest.mark.parametrize(("metric", "most"), [("f1", 1), ("mcc", 2), ("kappa", 2), ("cost", 5), ("informedness", 2)])
def test_a_margin_beyond_what_the_metric_can_differ_by_is_refused(metric, most):
    costs = {"costs": [[0, 1], [5, 0]]} if metric == "cost" else {}
    for margin in (most, most + 1):
        with pytest.raises(InvalidOption, match=r"`?margin`? must"):
            ta.compare(TWO["PairedConfusion"], metric=metric, margin=margin, **costs)
    assert ta.compare(TWO["PairedConfusion"], metric=metric, margin=0.9 * most, **costs).rejected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hypothesis": "different"}, "`hypothesis` must be 'non-inferior', 'superior' or 'equivalent' with a margin"),
        ({"alternative": "less"}, "`alternative` must be left out with a margin"),
        ({"alpha": 0.5}, r"`alpha` must be below 0\.5 with a margin, as the interval has level 1 - 2 alpha"),
        ({"method": "mcnemar-mid-p"}, "'mcnemar-mid-p' takes no margin. Choose one of: .*tango"),
        ({"interval": "odds-exact"}, "`interval` must be one of the difference with a margin"),
    ],
    ids=str,
)
def test_what_contradicts_a_margin_is_refused(options, message):
    with pytest.raises(TellapartError, match=message):
        ta.compare(TWO["PairedTable"], margin=0.01, **options)


@pytest.mark.parametrize("kind", ["ErrorPatterns", "Outcomes"])
def test_a_method_that_allows_for_the_number_of_pairs_takes_no_other_adjustment(kind):
    with pytest.raises(
        InvalidOption, match="`adjust` must be left out with method 'max-t', which adjusts for all pairs"
    ):
        ta.compare(SEVERAL[kind], method="max-t", adjust="holm")
    with pytest.raises(TellapartError, match="max-t"):
        ta.compare(TWO[kind], method="max-t")


@pytest.mark.parametrize("kind", [name for name in ONE if name != "ErrorCount"])
@pytest.mark.parametrize("options", [{}, {"method": "tango"}, {"margin": 0.01}, {"looks": 3}], ids=str)
def test_one_model_alone_is_nothing_to_compare(kind, options):
    with pytest.raises(InvalidEvidence, match="`evidence` must have two models to compare") as caught:
        ta.compare(ONE[kind], **options)
    assert kind in str(caught.value)


def test_one_error_count_needs_a_threshold():
    with pytest.raises(InvalidOption, match="`against` is required to compare one error count with a threshold"):
        ta.compare(ONE["ErrorCount"])
    with pytest.raises(InvalidOption, match="`against` needs an ErrorCount"):
        ta.compare(ONE["StratifiedCount"], against=0.05)
    assert (
        ta.compare(ONE["ConfusionMatrix"], against=0.05).pvalue
        == ta.compare(ta.ErrorCount(15, 100), against=0.05).pvalue
    )


@pytest.mark.parametrize("kind", SEVERAL)
def test_one_of_several_is_named_for_an_estimate_and_two_or_more_for_a_comparison(kind):
    with pytest.raises(InvalidEvidence, match="an estimate needs one"):
        ta.estimate(SEVERAL[kind])
    with pytest.raises(InvalidOption, match="`learners` must be two or more to compare"):
        ta.compare(SEVERAL[kind], learners=("b",))
    part = ta.compare(SEVERAL[kind], learners=("c", "a"))
    assert part.evidence.models == ("c", "a")
    assert float(part.pvalue) == float(ta.compare(SEVERAL[kind].select("c", "a")).pvalue)


@pytest.mark.parametrize("kind", [*TWO, *ONE])
def test_a_metric_that_the_evidence_cannot_tell_is_refused(kind):
    evidence = TWO.get(kind, ONE.get(kind))
    ask = ta.compare if len(evidence.models) == 2 else ta.estimate
    with pytest.raises(TellapartError, match=r"metric|nope"):
        ask(evidence, metric="nope")
    of_labels = kind in {"ConfusionMatrix", "PairedConfusion"}
    other = "auc" if of_labels else "f1"
    with pytest.raises(TellapartError, match=rf"{other}|metric"):
        ask(evidence, metric=other)


# --- Choosing ----------------------------------------------------------------------------------------


def reduced_two():
    return {name: reduce(evidence, Request()) for name, evidence in TWO.items()}


@pytest.mark.parametrize("kind", TWO)
def test_without_a_name_the_defaults_of_the_evidence_are_chosen(kind):
    evidence = reduced_two()[kind]
    test, interval = choose(evidence, Request())
    assert test is find_method(evidence.default("test", {}), "test", type(evidence))
    own = [look_up(name, "interval", type(evidence)) for name in (test.name, test.partner) if name]
    assert interval in own or interval.name == evidence.default("interval", {})


def named_pairs():
    for evidence in reduced_two().values():
        for method in find_methods(evidence=type(evidence)):
            if method.gives in {"test", "interval"} and method.serves(evidence.metric.name) and not method.of_several:
                yield pytest.param(evidence, method, id=f"{type(evidence).__name__}-{method.name}-{method.gives}")


@pytest.mark.parametrize(("evidence", "method"), [*named_pairs()])
def test_a_name_chooses_the_method_then_its_partner_then_the_default(evidence, method):
    kind = type(evidence)
    test, interval = choose(evidence, Request(method=method.name))
    own = look_up(method.name, "test", kind)
    if own is not None:
        assert test is own
        names = {own.name, own.partner, evidence.default("interval", {})}
        assert interval.name in names
        assert interval.parameter not in {"odds", "ratio", "reduction"} or interval.name == evidence.default("interval")
    else:
        partner = look_up(method.partner, "test", kind) if method.partner else None
        assert interval is method
        assert test is (partner or find_method(evidence.default("test", {}), "test", kind))
    if method.gives == "interval":  # beside any test
        assert choose(evidence, Request(interval=method.name))[1] is method


@pytest.mark.parametrize("kind", [name for name, evidence in reduced_two().items() if "margin" in evidence.accepts])
def test_a_margin_has_a_test_that_takes_one_by_default(kind):
    test, interval = choose(reduced_two()[kind], Request(margin=0.01))
    assert "against" in test.options
    assert interval.parameter not in {"odds", "ratio", "reduction"}


def test_two_intervals_are_one_too_many():
    with pytest.raises(InvalidOption, match="`method` must be a test if `interval` is used"):
        choose(TWO["PairedTable"], Request(method="bonett-price", interval="tango"))


# --- Reducing ----------------------------------------------------------------------------------------


def same(answer, other):
    for ours, theirs in (
        (answer.pvalue, other.pvalue),
        (answer.difference, other.difference),
        (answer.interval.low, other.interval.low),
        (answer.interval.high, other.interval.high),
    ):
        assert_array_equal(ours, theirs)
    assert answer.method == other.method


@pytest.mark.parametrize(
    "options",
    [{}, {"alternative": "less"}, {"margin": 0.05}, {"method": "mcnemar"}, {"interval": "bonett-price"}],
    ids=str,
)
def test_right_and_wrong_are_one_answer_however_they_are_held(options):
    patterns = patterns_of(2)
    table = ta.compare(patterns.pair("a", "b"), **options)
    same(ta.compare(patterns, **options), table)
    same(ta.compare(ta.Outcomes.from_scores(first(2, RIGHT)), **options), table)
    same(ta.compare(TWO["PairedConfusion"], **options), table)


def test_several_that_are_right_or_wrong_are_one_ranking_however_they_are_held():
    rankings = [
        ta.compare(evidence)
        for evidence in (
            SEVERAL["ErrorPatterns"],
            SEVERAL["LabelPatterns"],
            ta.Outcomes.from_scores(RIGHT),
        )
    ]
    for ranking in rankings[1:]:
        assert_array_equal(ranking.adjusted, rankings[0].adjusted)
        assert ranking.groups == rankings[0].groups


def test_a_method_that_needs_the_examples_keeps_them():
    sample = ta.Outcomes.from_scores(first(2, RIGHT))
    assert type(reduce(sample, Request())) is ta.PairedTable
    assert reduce(sample, Request(method="mean-t")) is sample
    assert type(reduce(sample, Request(method="nope"))) is ta.PairedTable
    assert reduce(TWO["PairedTable"], Request()) is TWO["PairedTable"]


# --- Dispatch ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    """What another package holds, and how it says so."""

    wrong: tuple[int, int, int, int]

    def __evidence__(self, request):
        assert isinstance(request, Request)
        return ta.PairedTable(*self.wrong, models=("old", "new"))


class Ledger:
    """What another package holds, without a word of this one."""

    def __init__(self, *rows):
        self.rows = rows


class Annotated(Ledger):
    """The same, by inheritance."""


@pytest.fixture
def ledgers(monkeypatch):
    """Return a converter that leaves out what is unknown, and says so."""
    monkeypatch.setattr(dispatch, "_CONVERTERS", dict(dispatch._CONVERTERS))

    @converts(f"{__name__}.Ledger")
    def of_ledger(ledger, _):
        known = [row for row in ledger.rows if row is not None]
        return Tally(tuple(np.sum(known, axis=0).tolist())), {"no verdict": len(ledger.rows) - len(known)}

    return of_ledger


def test_a_class_says_itself_what_evidence_it_holds():
    answer = ta.compare(Tally((20, 25, 10, 45)))
    same(answer, ta.compare(ta.PairedTable(20, 25, 10, 45)))
    assert answer.evidence.models == ("old", "new")
    assert not answer.excluded
    assert ta.compare(Tally((20, 25, 10, 45)), margin=0.01).margin == 0.01


@pytest.mark.usefixtures("ledgers")
@pytest.mark.parametrize("kind", [Ledger, Annotated])
def test_a_converter_gives_evidence_and_says_what_it_left_out(kind):
    answer = ta.compare(kind((20, 25, 0, 40), None, (0, 0, 10, 5), None))
    same(answer, ta.compare(ta.PairedTable(20, 25, 10, 45)))
    assert answer.excluded == {"no verdict": 2}


def test_a_converter_gives_its_function_back(ledgers):
    evidence, reasons = ledgers(Ledger((1, 2, 3, 4)), Request())
    assert evidence.wrong == (1, 2, 3, 4)
    assert reasons == {"no verdict": 0}


@pytest.mark.parametrize(
    "stranger",
    [(20, 25, 10, 45), [1, 2], 3, None, "20 of 45", np.ones((2, 2)), {}, object()],
    ids=lambda stranger: type(stranger).__name__,
)
@pytest.mark.parametrize("ask", [ta.compare, ta.estimate])
def test_what_is_unreadable_is_refused_by_its_type(ask, stranger):
    kind = "None" if stranger is None else type(stranger).__name__
    with pytest.raises(InvalidEvidence, match=rf", got {kind}\. Use PairedTable\(.*read_predictions"):
        ask(stranger)


def test_evidence_goes_through_dispatch_as_it_is():
    for evidence in (*ONE.values(), *TWO.values(), *SEVERAL.values()):
        assert isinstance(evidence, Evidence)
        result, reasons = dispatch.as_evidence(evidence, Request())
        assert result is evidence
        assert not reasons
