"""What a plan says: in words, in rows, as JSON, for a paper and for a picture."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2, multinomial

from tellapart import PairedTable, plan
from tellapart.errors import InvalidOption
from tellapart.planning.plan_wording import format_amount, many, power_text

SIZE = plan(difference=0.15, disagreement=0.25, power=0.8, method="mcnemar")
POWER = plan(difference=0.15, disagreement=0.25, examples=50, method="mcnemar-exact")
PLANS = {
    "size": SIZE,
    "power": POWER,
    "difference": plan(examples=50, disagreement=0.25),
    "none": plan(examples=1, disagreement=0.25),
    "never": plan(difference=1e-6, disagreement=0.5, method="mcnemar"),
    "margin": plan(margin=0.05, disagreement=0.1),
    "worse": plan(margin=0.05, disagreement=0.1, examples=400, power=0.8),
    "equivalent": plan(margin=0.05, disagreement=0.1, hypothesis="equivalent", examples=600, power=0.8),
    "impossible": plan(margin=0.05, disagreement=0.1, hypothesis="equivalent", examples=60, power=0.8),
    "superior": plan(margin=0.05, disagreement=0.2, hypothesis="superior", difference=0.1),
    "width": plan(width=0.1, error=(0.2, 0.6), method="wald"),
    "bound": plan(examples=59, error=0.0, side="upper", method="clopper-pearson"),
    "clusters": plan(difference=0.05, disagreement=0.1, cluster_size=5, cluster_correlation=0.3, method="mcnemar"),
    "sets": plan(independent=True, error_a=0.3, error_b=0.1, ratio=2, method="pooled-z"),
    "pilot": plan(PairedTable(2, 3, 4, 91), difference=0.05),
}


@pytest.mark.parametrize("result", PLANS.values(), ids=PLANS)
def test_every_form(result):
    """Nothing undefined is ever told, and every form has it all."""
    for text in (str(result), result.words, result.to_markdown(), result.to_latex(), result._repr_html_()):
        assert not {"nan", "inf", "None"} & set(text.replace(",", " ").replace(".", " ").split())
    kept = json.loads(result.to_json())
    assert kept["words"] == result.words
    assert kept["reached"] is result.reached
    assert dict(result.display().rows)["design"].startswith(result.about)
    assert str(result).startswith(result.answer[:20])
    assert "@article{" in result.bibtex() or "@book{" in result.bibtex()
    assert repr(result) == str(result)


def enumerated(n):
    """Return the power of McNemar's chi-square test by SciPy's trinomial: only A wrong with 0.2, only B with 0.05."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
    b, c = b[b + c <= n], c[b + c <= n]
    rejects = (b - c) ** 2 > chi2.ppf(0.95, 1) * (b + c)
    return multinomial.pmf(np.stack([b, c, n - b - c], axis=-1)[rejects], n, [0.2, 0.05, 0.75]).sum()


# 79 is the first size from which on the enumerated power is 0.8, 0.4775 that of 50 examples (elsewhere .478).
WORDS = {
    "size": ("79 examples detect a difference of 15 pp with 80% power."),
    "power": ("50 examples detect a difference of 15 pp with 47.75% power."),
    "none": ("1 example detects no difference with 80% power; power is at most 0%."),
    "never": "More than 1,000,000,000 examples are needed for 80% power.",
    "bound": ("59 examples give a 95% upper bound 4.95 pp above the true value."),
}


@pytest.mark.parametrize("name", WORDS)
def test_words(name):
    assert PLANS[name].answer == WORDS[name]
    assert PLANS[name].words.startswith(f"{WORDS[name]} Design: {PLANS[name].about}")


def test_the_power_that_is_reached_is_that_of_an_enumeration():
    assert dict(SIZE.display().rows)["power"] == f"{100 * enumerated(79):.4g}%, exact"


def test_what_is_shown_of_a_margin():
    assert "show that B is at most 5 pp worse with 80% power if both are equal" in PLANS["margin"].answer
    assert "if B is worse by" in PLANS["worse"].answer or "if B is better by" in PLANS["worse"].answer
    answer = PLANS["equivalent"].answer
    assert "show that A and B differ by less than 5 pp with 80% power if A and B differ by at most" in answer
    assert "detect no difference with 80% power" in PLANS["impossible"].answer
    assert "show that B is better by more than 5 pp" in PLANS["superior"].answer


def test_rows():
    design = dict(PLANS["clusters"].display().rows)["design"]
    assert f"design effect 2.2 ({PLANS['clusters'].size // 5:,} clusters of 5)" in design
    assert dict(PLANS["width"].display().rows)["or"] == "385 examples by Mitchell's normal formula"
    assert "(384.15)" in dict(PLANS["width"].display(verbose=True).rows)["or"]
    assert "95% upper limit" in dict(PLANS["pilot"].display().rows)["or"]
    assert math.isnan(PLANS["none"].difference)
    assert "with 1,000,000,000 examples" in dict(PLANS["never"].display().rows)["power"]


def test_power_beyond_the_request_is_reported():
    """No disagreement: 268 examples always show it, 267 never do."""
    result = plan(margin=0.01, disagreement=0.0)
    assert dict(result.display().rows)["power"] == "100%, exact, below 80% with one fewer"
    assert "no discordant pairs" in result.words
    assert "or" not in dict(result.display().rows)  # where nothing varies, the normal formula asks for no examples


@pytest.mark.parametrize(("power", "note"), [(1.0, "100%"), (0.99999999, "> 99.99%"), (0.5, "50%"), (1e-9, "< 0.01%")])
def test_powers_are_never_rounded_to_what_they_are_not(power, note):
    assert power_text(power) == note


def test_what_json_keeps():
    kept = PLANS["pilot"].as_dict()
    assert kept["beside"][0]["assuming"].startswith("at the pilot's 95% upper limit")
    assert kept["alternatives"] == kept["beside"]
    assert kept["size"] == PLANS["pilot"].size
    assert json.loads(PLANS["never"].to_json())["size"] is None


def test_curves():
    by_size = SIZE.curve()
    assert (by_size.over, by_size.gives, by_size.x.size) == ("size", "power", 41)
    assert_allclose(by_size.y, SIZE.setting.power(by_size.x, 0.15))
    assert by_size.x[0] < SIZE.size < by_size.x[-1]
    by_difference = POWER.curve("difference", points=11)
    assert_allclose(by_difference.x[[0, -1]], [0, 0.25])  # the power is never quite there, so all differences are shown
    assert np.all(np.diff(by_difference.y) > 0)
    equivalent = PLANS["equivalent"].curve("difference", points=11)
    assert_allclose(equivalent.x[[0, -1]], [-0.05, 0.05])
    assert_allclose(equivalent.y, equivalent.y[::-1], atol=1e-9)
    widths = PLANS["width"].curve(points=5)
    assert widths.gives == "width"
    assert np.all(np.diff(widths.y) < 0)
    clustered = PLANS["clusters"].curve(points=3)
    assert_allclose(clustered.y, PLANS["clusters"].setting.power(np.floor(clustered.x / 2.2 + 1e-9), 0.05))
    with pytest.raises(InvalidOption, match="without a finite number of examples"):
        PLANS["never"].curve()
    with pytest.raises(InvalidOption, match="`over` must be one of"):
        SIZE.curve("power")


def test_numbers():
    assert [format_amount(each) for each in (0.01, 0.0213, 1e-5, 0.0)] == [
        "1 pp",
        "2.13 pp",
        "0.001 pp",
        "0 pp",
    ]
    assert format_amount(0.25, points=False) == "0.25"
    assert (many(1234567), many(math.inf)) == ("1,234,567", "more than 1,000,000,000")


def test_a_paragraph_for_a_paper():
    note = SIZE.paragraph("markdown")
    assert "[@mcnemar1947; @connor1987]" in note
    assert "connor1987" in SIZE.bibtex()
