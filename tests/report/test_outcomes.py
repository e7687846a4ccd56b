"""Reports on the score of each example: how they are spread, what groups say, and the leaderboard of several."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.report import plots
from tellapart.report.blocks import Facts, Figure, Table, Verdict
from tellapart.report.provenance import fingerprint_of
from tellapart.report.writing import page_of

RNG = np.random.default_rng(2)
OLD = RNG.beta(5, 2, 80)
NEW = np.clip(OLD + RNG.normal(0.05, 0.1, 80), 0, 1)
FACTS = {"metric": "rouge", "bounds": (0, 1), "models": ("old", "new")}
HELD = ta.Outcomes.from_scores(OLD, NEW, **FACTS, clusters=np.arange(80) // 4, groups=np.arange(80) % 2)


def sections(page):
    return {section.id: section for section in page.sections}


def blocks(section, kind):
    return [block for block in section.blocks if isinstance(block, kind)]


def test_a_page_on_scores_shows_them_and_every_group():
    answer = ta.compare(HELD)
    page = page_of(answer)
    result = sections(page)
    assert list(result)[:4] == ["result", "difference", "examples-spread", "groups"]
    (verdict,) = blocks(result["result"], Verdict)
    assert page.title == verdict.verdict == "new has a higher mean rouge than old"
    assert (verdict.tiles[2].value, verdict.tiles[2].notes) == ("20 clusters", ("80 examples",))
    assert verdict.badge == "Significant difference"
    assert answer.better == "B"
    (facts,) = blocks(result["examples-spread"], Facts)
    assert dict(facts.rows)["effective sample size"].endswith("of 80 examples")
    (table,) = blocks(result["groups"], Table)
    assert [row[0].text for row in table.rows] == ["0", "1", "macro average", "all examples"]
    differences = [np.mean((NEW - OLD)[index::2]) for index in (0, 1)]
    assert_allclose([row[2].value for row in table.rows[:2]], differences)
    assert table.caption == "Difference by group: rouge(new) − rouge(old)"
    assert "scores" in [row[0].text for row in blocks(result["reproduce"], Table)[0].rows]


def test_a_breakdown_makes_the_page_of_its_answer():
    page = page_of(ta.breakdown(HELD))
    (picture,) = [block.picture for block in blocks(sections(page)["groups"], Figure)]
    assert [row[0] for row in picture.numbers.rows] == ["0", "1", "macro average", "all examples"]
    assert page.title == "new has a higher mean rouge than old"
    alone = page_of(ta.breakdown(HELD.select("new")))
    assert alone.title.startswith("new: mean rouge 0.")
    assert sections(alone)["interval"].title == "Mean rouge"
    with pytest.raises(InvalidOption, match="`groups` must have one Comparison or Estimate for 'x'"):
        page_of(ta.compare(HELD), groups={"x": 1})


def test_repeats_are_split_into_their_parts():
    evidence = ta.Outcomes.from_scores(RNG.integers(0, 2, (30, 4)), RNG.integers(0, 2, (30, 4)))
    (table,) = blocks(sections(page_of(ta.compare(evidence)))["components"], Table)
    assert [row[0].text for row in table.rows] == ["between examples", "within examples"]


def test_several_models_have_a_leaderboard_with_ranks():
    answer = ta.compare(
        ta.Outcomes.from_scores({"old": OLD, "new": NEW, "bad": OLD - 0.3 * RNG.random(80)}, metric="r")
    )
    page = page_of(answer)
    (table,) = blocks(sections(page)["ranking"], Table)
    assert table.head == ("model", "rank", "mean r", "95% CI, low", "high", "ties")
    assert_allclose([row[2].value for row in table.rows], sorted(answer.levels, reverse=True))
    assert "Models that share a letter are tied" in table.note
    assert page.title == sections(page)["result"].blocks[0].verdict


def test_bars_hold_every_example_once():
    picture = plots.spread_picture(HELD)
    rows, differences = picture.numbers.rows, NEW - OLD
    assert sum(row[2] for row in rows) == 80
    for low, high, count in rows[1:-1]:
        assert count == np.sum((differences >= low) & (differences < high))
    middle = [row for row in rows if row[0] < 0 < row[1]]
    assert_allclose(middle[0][0], -middle[0][1])  # zero has the middle of a bar
    few = plots.spread_picture(ta.Outcomes.from_scores([1, 0, 1, 1], [1, 1, 1, 0])).numbers.rows
    assert few == ((-1.0, -1.0, 1), (0.0, 0.0, 2), (1.0, 1.0, 1))
    one = plots.spread_picture(ta.Outcomes.from_scores(OLD, metric="rouge")).numbers.rows
    assert (one[0][0], one[-1][1]) == (OLD.min(), OLD.max())
    with pytest.raises(InvalidOption, match="Outcomes of one model or of two"):
        plots.spread_picture(ta.PairedTable(1, 2, 3, 4))


def test_the_same_means_of_other_scores_have_another_fingerprint():
    turned = ta.Outcomes.from_scores(OLD[::-1], NEW, **FACTS)
    assert fingerprint_of(turned) != fingerprint_of(ta.Outcomes.from_scores(OLD, NEW, **FACTS))
