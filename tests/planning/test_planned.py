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


@pytest.mark.parametrize("found", PLANS.values(), ids=PLANS)
def test_every_form(found):
    """Nothing undefined is ever told, and every form has it all."""
    for text in (str(found), found.words, found.to_markdown(), found.to_latex(), found._repr_html_()):
        assert not {"nan", "inf", "None"} & set(text.replace(",", " ").replace(".", " ").split())
    kept = json.loads(found.to_json())
    assert kept["words"] == found.words
    assert kept["reached"] is found.reached
    assert found.rows()[0] == ("plan", found.about)
    assert found.rows()[-1] == ("in words", found.words)
    assert "@article{" in found.bibtex() or "@book{" in found.bibtex()
    assert repr(found) == str(found)


def enumerated(n):
    """Return the power of McNemar's chi-square test by SciPy's trinomial: only A wrong with 0.2, only B with 0.05."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
    b, c = b[b + c <= n], c[b + c <= n]
    rejects = (b - c) ** 2 > chi2.ppf(0.95, 1) * (b + c)
    return multinomial.pmf(np.stack([b, c, n - b - c], axis=-1)[rejects], n, [0.2, 0.05, 0.75]).sum()


# 79 is the first size from which on the enumerated power is 0.8, 0.4775 that of 50 examples (elsewhere .478).
WORDS = {
    "size": (
        "Take 79 examples: if the two really differ by 15 points, mcnemar at alpha 0.05 has a chance of"
        f" {100 * enumerated(79):.4g} % to show a difference."
    ),
    "power": (
        "With 50 examples, mcnemar-exact at alpha 0.05 has a chance of 47.75 % to show a difference if the two really"
        " differ by 15 points."
    ),
    "none": (
        "With 1 example, no true difference gives mcnemar-mid-p at alpha 0.05 a chance of 80 % to show a difference: it"
        " is 0 % at most."
    ),
    "never": "It takes more than a thousand million examples to have a power of 80 %.",
    "bound": (
        "With 59 examples, the 95 % clopper-pearson bound is 4.95 points above the truth on average if the true error"
        " is 0 %."
    ),
}


@pytest.mark.parametrize("name", WORDS)
def test_words(name):
    assert PLANS[name].answer == WORDS[name]
    assert PLANS[name].words.startswith(f"{WORDS[name]} This is planned for {PLANS[name].about}.")


def test_what_is_shown_of_a_margin():
    assert "to show that B is at most 5 points worse" in PLANS["margin"].answer
    assert "if both really are equally good" in PLANS["margin"].answer
    assert "if B really is worse by" in PLANS["worse"].answer or "if B really is better by" in PLANS["worse"].answer
    assert "to show that the two differ by less than 5 points if the two really differ by at most" in (
        PLANS["equivalent"].answer
    )
    assert "no true difference gives tango" in PLANS["impossible"].answer
    assert "to show that B is better by more than 5 points" in PLANS["superior"].answer


def test_rows():
    told = dict(PLANS["clusters"].rows())
    assert told["clusters"] == f"{PLANS['clusters'].size // 5:,} of 5"
    assert told["design effect"] == "2.2"
    told = dict(PLANS["width"].rows())
    assert told["by formula"] == "385 examples (Mitchell's normal formula: 384.15)"
    assert "beside" in dict(PLANS["pilot"].rows())
    assert dict(PLANS["none"].rows())["difference"] == "none"
    assert dict(PLANS["never"].rows())["examples"] == "more than a thousand million"


def test_power_that_is_more_than_was_asked_for_is_told():
    """No disagreement: 268 examples always show it, 267 never do."""
    found = plan(margin=0.01, disagreement=0.0)
    assert "a chance of 100 % to show" in found.answer
    assert "with one fewer it falls short of 80 %" in found.words
    assert "which never disagree" in found.words
    assert "by formula" not in dict(found.rows())  # where nothing varies, the normal formula asks for no examples


@pytest.mark.parametrize(
    ("power", "told"), [(1.0, "100 %"), (0.99999999, "just below 100 %"), (0.5, "50 %"), (1e-9, "less than 0.01 %")]
)
def test_powers_are_never_rounded_to_what_they_are_not(power, told):
    assert power_text(power) == told


def test_what_json_keeps():
    kept = PLANS["pilot"].as_dict()
    assert kept["beside"][0]["assuming"].startswith("at the pilot's 95 % upper limit")
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
        "1 point",
        "2.13 points",
        "0.001 points",
        "0 points",
    ]
    assert format_amount(0.25, points=False) == "0.25"
    assert (many(1234567), many(math.inf)) == ("1,234,567", "infinitely many")


def test_a_paragraph_for_a_paper():
    told = SIZE.paragraph("markdown")
    assert "[@mcnemar1947; @connor1987]" in told
    assert "connor1987" in SIZE.bibtex()
