"""Reports in a real browser: nothing leaves the page, and all that can be pressed does what it says.

The reports are those of the demo, a paper reproduced, a plan, a page with all that a page can hold, three of models
with hostile names, by counts, by graded scores, and by labels with scores by class, and two of learners over many data
sets, who have such names, too; and of what the lab found: a calibration, exact coverage, looking early, a watch. One
browser for the whole file, so that one worker starts it.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tellapart as ta
from tellapart import lab
from tellapart.figures import Scale
from tellapart.report.blocks import (
    Cell,
    CheckBlock,
    Checks,
    Code,
    Facts,
    Figure,
    IntervalDrawing,
    Page,
    Section,
    Table,
    Text,
    Tile,
    Verdict,
)
from tellapart.report.html import render
from tellapart.report.picture import Numbers, Picture
from tellapart.report.style import BAND, COLOURS
from tellapart.report.writing import write_page, write_report
from tellapart.reproduce import Run, find_exhibits, run_exhibits
from tellapart.reproduce.page import page_of as reproduced

for needed in ("matplotlib", "jinja2", "sklearn"):
    pytest.importorskip(needed)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: bash .ci/system-packages"),
]

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
EVIL = ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>')
ROOT = Path(__file__).parents[2]
PAPER = "a-paper"
DEMO = (
    "two-models",
    "the-test",
    "may-it-ship",
    "next-test-set",
    "five-models",
    "tumours",
    "tumour-scores",
    "six-learners",
    "many-data-sets",
    "no-errors",
)


LAB = ("calibration", "coverage", "peeking", "watch")
OWN = ("areas", "benchmark", "blocks", "evil", "practice", "scores", PAPER, *LAB)


@pytest.fixture(scope="module")
def browser():
    playwright.expect.set_options(timeout=30_000)  # a busy machine takes its time
    with playwright.sync_playwright() as driver:
        result = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield result
        result.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    index = tmp_path_factory.mktemp("reports")
    done = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, "examples/demo.py", str(index)], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert {each.stem for each in index.glob("*.html")} == set(DEMO)
    (index / "blocks.html").write_text(render(blocks()), encoding="utf-8")
    result = run_exhibits(find_exhibits("mitchell"), Run(scale="quick"))
    write_page(index / f"{PAPER}.html", reproduced(result, command="tellapart reproduce mitchell --quick"))
    write_report(index / "scores.html", ta.breakdown(scores()))
    answer, evidence = areas()
    write_report(index / "areas.html", answer, scores=evidence)
    table = benchmark()
    write_report(index / "benchmark.html", ta.compare(table))
    write_report(index / "practice.html", ta.compare(table, learners=EVIL, rope=0.01, resamples=2000))
    write_report(index / "evil.html", ta.compare(ta.PairedTable(20, 25, 10, 245, models=EVIL)))
    for name, result in zip(LAB, measured(), strict=True):
        write_report(index / f"{name}.html", result)
    return index


@pytest.fixture
def opened(browser, folder):
    """Open a report; at the end nothing may have been requested of anybody, and nothing gone wrong."""
    contexts, requested, wrong = [], [], []

    def open_page(name="blocks", script="", **options):
        context = browser.new_context(**options)
        contexts.append(context)
        if script:
            context.add_init_script(script)
        page = context.new_page()
        page.on("request", lambda request: requested.append(request.url))
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        page.goto((folder / f"{name}.html").as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    pages = {(folder / f"{name}.html").as_uri() for name in (*OWN, *DEMO)}
    assert not [url for url in requested if url not in pages and not url.startswith("data:")]
    assert not wrong


def scores():
    """Return graded scores of two models with hostile names, in clusters and groups."""
    rng = np.random.default_rng(0)
    old = rng.beta(5, 2, 120)
    new = np.clip(old + rng.normal(0.03, 0.1, 120), 0, 1)
    facts = {"metric": "rouge", "bounds": (0, 1), "models": EVIL, "clusters": np.arange(120) // 4}
    return ta.Outcomes.from_scores(old, new, groups=[f"{EVIL[0]} {index % 3}" for index in range(120)], **facts)


def measured():
    """Return a simulated calibration with all columns there are, exact coverage, what looking does, and a watch."""
    design = lab.PairedOutcomes(0.1, 0.1, disagreement=0.08, examples=300)
    looked = lab.peeking(design, looks=3, rules=["mcnemar-mid-p", "pocock"], differences=[0.05], trials=100)
    return (
        ta.calibrate(None, design, trials=100),
        [ta.exact_coverage(name, 50) for name in ("wald", "wilson")],
        looked,
        ta.Watch.rate().add(ta.ErrorCount(3, 120)),
    )


def benchmark():
    """Return the scores of 40 learners, two of them with hostile names, on 20 data sets; some have equal mean ranks."""
    rng = np.random.default_rng(2)
    names = [*EVIL, *(f"gradient_boosting_{index:02d}_trees" for index in range(38))]
    scores = rng.uniform(0.6, 0.9, (20, 1)) + 0.02 * rng.standard_normal((20, 40)) - 0.002 * np.arange(40)
    scores[:, 5] = scores[:, 6]
    return ta.ScoreTable.from_scores(scores, names, [f"{EVIL[0]} {index}" for index in range(20)], metric="accuracy")


def areas():
    """Return what two models with hostile names, and labels of that kind, make of each other, and their scores."""
    rng = np.random.default_rng(1)
    truth = rng.random(120) < 0.4
    old = np.clip(0.5 * rng.random(120) + 0.3 * truth, 0.01, 0.99)
    new = np.clip(old + 0.2 * truth - 0.1, 0.01, 0.99)
    called = np.array(["ham", EVIL[0]])
    evidence = ta.ClassScores.from_scores(called[truth * 1], old, new, positive=EVIL[0], models=EVIL)
    message = [called[(each > 0.5) * 1] for each in (old, new)]
    both = ta.PairedConfusion.from_predictions(called[truth * 1], *message, models=EVIL)
    return ta.compare(both, metric="f1", positive=EVIL[0]), evidence


def blocks():
    """Make a page with all that a page can hold; its numbers are chosen so that words would sort otherwise."""

    def draw(axes):
        axes.plot([0, 1], [0, 1], color=COLOURS[0])
        axes.axvspan(0, 1, color=BAND)
        axes.text(0.5, 0.5, EVIL[0], color="black")

    numbers = Numbers(head=("x", "y"), rows=((0, 0.0), (1, 1 / 3)))
    picture = Picture(title="A line", alt="It rises.", numbers=numbers, draw=draw)
    rows = [
        ("ten", Cell("10 points", 10.0), "c"),
        ("nine", Cell("9 points", 9.0), "a"),
        ("none", Cell("", None), "b"),
        ("nine again", Cell("9 points", 9.0), "ä"),
        ("small", Cell("-0.5 points", -0.5), ""),
    ]
    table = Table.of("Some numbers", ("name", "points", "letter"), rows)
    many = Table.of("A wide table", [f"column {index}" for index in range(30)], [range(30), range(30)])
    filler = Text(paragraphs=("A paragraph that takes its room. " * 40,) * 8)
    check = CheckBlock(code="TA104", holds=False, message="7 disagreements, below 10")
    verdict = Verdict(
        verdict=f"{EVIL[0]} is better",
        figures=EVIL[1],
        badge="Significant difference",
        cautions=(f"TA104: {EVIL[0]}",),
        tiles=(Tile(value=EVIL[0], notes=(EVIL[1],)),),
        interval=IntervalDrawing(estimate=0.02, low=0.01, high=0.03, scale=Scale("points", 1), caption=EVIL[0]),
        scope=EVIL[1],
    )
    return Page(
        title=f"{EVIL[0]} or {EVIL[1]}?",
        label="On 100 examples",
        sections=(
            Section(id="result", title="Result", blocks=(verdict, Facts(rows=(("model", EVIL[1]),)))),
            Section(id="tables", title="Tables", blocks=(table, many, filler)),
            Section(id="figures", title="Figures", blocks=(Figure(picture=picture), filler)),
            Section(id="checks", title="Checks", blocks=(Checks(checks=(check,)),), folded=True),
            Section(id="code", title="Lines", blocks=(Code(label="lines", text="a = '<b>'\n\tprint(a)"),), folded=True),
        ),
    )


# --- Every report ---------------------------------------------------------------------------------

ACCESSIBLE = """() => {
  const wrong = [];
  const name = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
    return (element.getAttribute("aria-label") ?? element.textContent).trim();
  };
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id is there twice");
  for (const svg of document.querySelectorAll("svg:not([aria-hidden=true]), img"))
    if (svg.getAttribute("role") !== "img" || !name(svg)) wrong.push("unnamed picture");
  for (const each of document.querySelectorAll("button, a, summary, [role=region], section, nav"))
    if (!name(each)) wrong.push(`unnamed ${each.tagName}`);
  for (const each of document.querySelectorAll("[role=region]"))
    if (each.tabIndex !== 0) wrong.push("a region that no key reaches");
  let last = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4")) {
    const level = Number(heading.tagName[1]);
    if (level > last + 1) wrong.push(`${heading.textContent} skips a level`);
    last = level;
  }
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption?.textContent.trim()) wrong.push("a table without a caption");
    if (table.querySelector("th:not([scope])")) wrong.push("a head without a scope");
    const widths = new Set([...table.rows].map((row) => row.cells.length));
    if (widths.size !== 1) wrong.push("rows of unequal length");
  }
  if (!document.documentElement.lang || !document.title) wrong.push("no language or no title");
  return wrong;
}"""


DRESS = """() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
    getComputedStyle(document.querySelector("svg.picture path[stroke='var(--colour-0)']")).stroke,
    getComputedStyle(document.querySelector("svg.picture text")).fill]"""

VALUES = """(button) => {
  const column = button.parentElement.cellIndex;
  const cells = [...button.closest("table").tBodies[0].rows].map((row) => row.cells[column]);
  return cells.map((cell) => Number(cell.dataset.value ?? (cell.textContent || NaN))).filter((it) => !Number.isNaN(it));
}"""

RAW = """() => [...document.querySelectorAll("svg.picture *")].filter((element) => {
  const told = [element.getAttribute("fill"), element.getAttribute("stroke")];
  const black = element.tagName === "text" && getComputedStyle(element).fill === "rgb(0, 0, 0)";
  return black || told.some((value) => value?.startsWith("#"));
}).map((element) => element.outerHTML)"""


@pytest.mark.parametrize("name", [*OWN, *DEMO])
def test_a_report_is_accessible_small_fits_a_phone_and_follows_into_the_dark(opened, folder, name):
    page = opened(name, viewport={"width": 360, "height": 740}, color_scheme="dark")
    assert page.evaluate(ACCESSIBLE) == []
    assert page.evaluate(RAW) == []
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert (folder / f"{name}.html").stat().st_size < 1_000_000


COVERED = """(svg) => {
  const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
  const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3; // boxes are as tall as the line, not as the letters
  const all = svg.getBoundingClientRect();
  return boxes.flatMap(([name, box], place) => [
    ...boxes.slice(place + 1).filter(([, other]) => over(box, other)).map(([other]) => `${name} and ${other}`),
    ...(box.left < all.left - 1 || box.right > all.right + 1 ? [`${name} outside`] : []),
  ]);
}"""

# What is wider than its place, and does not move sideways there: cut off for every reader.
CUT_OFF = """() => {
  const moves = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const within = (element) => element.parentElement && (moves(element.parentElement) || within(element.parentElement));
  const name = (element) => `${element.tagName} ${element.className.baseVal ?? element.className} ${element.id}`;
  const seen = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility()
    && !element.closest(".unseen, .skip") && !element.parentElement.closest("svg"));
  const page = document.documentElement;
  return [
    ...(page.scrollWidth > page.clientWidth ? ["the page"] : []),
    ...seen.filter((element) => element.clientWidth && element.scrollWidth > element.clientWidth + 1
      && !moves(element) && !within(element)).map(name),
    ...seen.filter((element) => {
      const box = element.getBoundingClientRect();
      return ["TABLE", "svg", "PRE"].includes(element.tagName) && !within(element)
        && (box.left < -1 || box.right > page.clientWidth + 1);
    }).map(name),
  ];
}"""
MOVES = """() => [...document.querySelectorAll("section .scroll")].filter((element) => element.checkVisibility()
  && element.scrollWidth > element.clientWidth + 1)
  .map((element) => document.getElementById(element.getAttribute("aria-labelledby")).textContent.trim())"""


@pytest.mark.parametrize("name", [*OWN, *DEMO])
def test_nothing_in_a_report_is_cut_off(opened, name):
    page = opened(name)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(CUT_OFF) == [], width
    for drawing in page.locator("svg.phone").all():
        if drawing.is_visible():
            assert drawing.evaluate(COVERED) == []


@pytest.mark.parametrize(
    ("name", "width", "whole"),
    [
        ("calibration", 1280, ("Tests", "Intervals", "Power", "Coverage")),
        ("peeking", 1280, ("Decisions", "Coverage at all looks")),
        ("two-models", 390, ("Difference", "Discordant examples")),
        ("no-errors", 390, ("Error rate",)),
        ("calibration", 390, ("p-values under the null hypothesis", "Power", "Coverage")),
        ("coverage", 390, ("Exact coverage",)),
    ],
)
def test_what_matters_most_is_seen_whole(opened, name, width, whole):
    page = opened(name, viewport={"width": width, "height": 800})
    titles = page.locator("section .title:visible").all_inner_texts()
    assert set(whole) <= {title.strip() for title in titles}
    assert not set(whole) & set(page.evaluate(MOVES))


@pytest.mark.parametrize("name", [PAPER, *DEMO])
def test_a_report_of_the_demo_sorts_leads_on_turns_dark_and_prints(opened, name):
    page = opened(name, viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce")
    sorted_ones = 0
    for button in page.locator("section table:not([data-exact]) thead th.number button").all():
        button.click()
        values = button.evaluate(VALUES)
        assert values == sorted(values)
        sorted_ones += len(values) > 1
    assert sorted_ones > 0 or name == "no-errors"  # whose tables have one row

    page.locator("#contents a").last.click()
    playwright.expect(page.locator("#reproduce h2")).to_be_in_viewport()
    assert page.url.endswith("#reproduce")

    light = page.evaluate(DRESS)
    page.get_by_role("button", name="Dark").click()
    assert all(one != other for one, other in zip(light, page.evaluate(DRESS), strict=True))

    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) >= 2


@pytest.mark.parametrize(("name", "least"), [("benchmark", 2), ("practice", 3)])
def test_no_label_covers_another_where_learners_are_compared_over_data_sets(opened, name, least):
    page = opened(name, viewport={"width": 1280, "height": 800})
    drawings = page.locator("section svg.picture").all()
    assert len(drawings) >= least
    for drawing in drawings:
        assert drawing.evaluate(COVERED) == []
    if name == "benchmark":
        labels = page.locator("#ranking svg text").all_text_contents()
        assert sum("…" in label or "gradient" in label for label in labels) >= 38


def test_no_name_is_run(opened):
    for name in ("evil", "blocks"):
        page = opened(name)
        text = page.inner_text("body")
        assert all(each in text for each in EVIL)
        assert page.title().count("<script>") == 1
        assert page.locator("script").count() == 1
        assert page.locator("img").count() == 0


def test_the_policy_stops_what_is_not_ours(browser, folder):
    """Were a name ever put in unescaped, the browser would still not run it."""
    text = (folder / "blocks.html").read_text(encoding="utf-8")
    hole = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\"><p style='color: red'>"
    (folder / "hole.html").write_text(text.replace("</main>", f"{hole}</main>"), encoding="utf-8")
    page = browser.new_page()
    page.goto((folder / "hole.html").as_uri())
    assert page.title() != "run"
    assert page.locator("p[style]").evaluate("(element) => getComputedStyle(element).color") != "rgb(255, 0, 0)"
    page.close()


# --- Sorting --------------------------------------------------------------------------------------


def column(page, index):
    return page.locator(f"#tables-1 tbody tr > :nth-child({index})").all_inner_texts()


def test_a_table_sorts_by_number_and_back(opened):
    page = opened()
    head = page.locator("#tables-1 th", has_text="points").first
    names = column(page, 1)
    assert head.get_attribute("aria-sort") is None
    head.get_by_role("button").click()
    assert column(page, 1) == ["small", "nine", "nine again", "ten", "none"]  # equals keep their order
    assert head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").click()
    assert column(page, 1) == ["ten", "nine", "nine again", "small", "none"]  # what is missing stays last
    assert head.get_attribute("aria-sort") == "descending"
    assert "descending" in page.inner_text("#status")
    head.get_by_role("button").click()
    assert column(page, 1) == names
    assert head.get_attribute("aria-sort") is None


def test_a_table_sorts_by_keyboard_and_by_words(opened):
    page = opened(locale="en-GB")
    button = page.locator("#tables-1 th", has_text="letter").get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    assert column(page, 3) == ["a", "ä", "b", "c", ""]
    page.keyboard.press("Space")
    assert column(page, 3) == ["c", "b", "ä", "a", ""]
    page.locator("#tables-1 th", has_text="name").get_by_role("button").press("Enter")
    heads = page.locator("#tables-1 thead th").all()
    assert [head.get_attribute("aria-sort") for head in heads] == ["ascending", None, None]


# --- Copying --------------------------------------------------------------------------------------

MAY = ["clipboard-read", "clipboard-write"]
NO_CLIPBOARD = "navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));"


@pytest.mark.parametrize("script", ["", NO_CLIPBOARD], ids=["clipboard", "selection"])
def test_a_table_is_copied_as_it_is_seen(opened, script):
    page = opened(script=script, permissions=MAY)
    page.locator("#tables-1 th", has_text="points").first.get_by_role("button").click()
    page.get_by_role("button", name="Copy table: Some numbers").click()
    playwright.expect(page.locator("#status")).to_have_text("Copied: table: Some numbers")
    assert page.locator("[data-copy=tables-1]").inner_text().startswith("Copied")
    lines = page.evaluate("navigator.clipboard.readText()").replace("\r", "").split("\n")
    assert lines == [
        "name\tpoints\tletter",
        "small\t-0.5 points\t",
        "nine\t9 points\ta",
        "nine again\t9 points\tä",
        "ten\t10 points\tc",
        "none\t\tb",
    ]
    assert page.evaluate("document.activeElement.dataset.copy") == "tables-1"  # the reader is where they were


def test_numbers_behind_a_picture_are_copied_with_every_digit(opened):
    page = opened(permissions=MAY)
    page.get_by_text("Data of this figure").click()
    page.get_by_role("button", name="Copy table: A line").click()
    playwright.expect(page.locator("#status")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").split() == ["x", "y", "0", "0", "1", repr(1 / 3)]


def test_lines_are_copied_as_they_are(opened):
    page = opened(permissions=MAY)
    page.locator("#code summary").click()
    page.get_by_role("button", name="Copy lines").click()
    playwright.expect(page.locator("#status")).to_have_text("Copied: lines")
    assert page.evaluate("navigator.clipboard.readText()").replace("\r", "") == "a = '<b>'\n\tprint(a)"


# --- Finding one's way ----------------------------------------------------------------------------


@pytest.mark.parametrize("width", [360, 1280])
def test_a_link_of_the_contents_leads_there(opened, width):
    page = opened(viewport={"width": width, "height": 700}, reduced_motion="reduce")
    link = page.locator("#contents a", has_text="Figures")
    link.click()
    playwright.expect(page.locator("#figures h2")).to_be_in_viewport()
    playwright.expect(link).to_have_attribute("aria-current", "true")
    assert page.url.endswith("#figures")


def test_a_code_leads_to_its_check_even_where_that_is_folded_away(opened):
    page = opened(reduced_motion="reduce")
    assert not page.locator("#check-TA104").is_visible()
    page.locator(".caution a", has_text="TA104").click()
    playwright.expect(page.locator("#check-TA104")).to_be_in_viewport()


def test_the_first_key_skips_to_the_answer(opened):
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    playwright.expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_focus_is_seen_and_wide_tables_move_by_keys(opened):
    page = opened(viewport={"width": 700, "height": 700})
    region = page.get_by_role("region", name="A wide table")
    region.focus()
    page.keyboard.press("ArrowRight")
    for _ in range(100):  # it moves smoothly; to wait inside the page would take an eval, which the page forbids
        if region.evaluate("(element) => element.scrollLeft"):
            break
        page.wait_for_timeout(50)
    assert region.evaluate("(element) => element.scrollLeft") > 0
    assert region.evaluate("(element) => getComputedStyle(element).outlineStyle") == "solid"


def test_a_phone_shows_every_value_of_a_wide_table_beside_the_head_of_its_column(opened):
    page = opened(viewport={"width": 390, "height": 844})
    region = page.get_by_role("region", name="A wide table")
    assert region.evaluate("(element) => element.scrollWidth <= element.clientWidth")
    cell = region.locator("td").nth(7)
    assert cell.inner_text() == "7"
    assert cell.evaluate("(element) => getComputedStyle(element, '::before').content") == '"column 7"'


# --- Light, dark, paper, and no script ------------------------------------------------------------


def test_dark_is_pressed_and_kept(opened):
    page = opened(color_scheme="light")
    light = page.evaluate(DRESS)
    page.get_by_role("button", name="Dark").click()
    dark = page.evaluate(DRESS)
    assert all(one != other for one, other in zip(light, dark, strict=True))
    page.reload()
    assert page.evaluate(DRESS) == dark  # the browser keeps it, even for a file
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(DRESS) == light


def test_dark_follows_the_system_and_may_be_turned_off(opened):
    light = opened(color_scheme="light").evaluate(DRESS)
    page = opened(color_scheme="dark")
    assert page.evaluate(DRESS) != light
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(DRESS) == light


def test_dark_works_where_nothing_may_be_kept(opened):
    forbidden = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });"
    page = opened(script=forbidden, color_scheme="light")
    light = page.evaluate(DRESS)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(DRESS) != light


@pytest.mark.parametrize("script", [True, False])
def test_paper_is_white_with_everything_unfolded_and_nothing_to_press(opened, script):
    page = opened(color_scheme="dark", java_script_enabled=script)
    page.emulate_media(media="print")
    assert page.locator("#check-TA104").is_visible()
    assert page.locator("#code-1").bounding_box()["height"] > 10
    assert not any(button.is_visible() for button in page.locator("button.small").all())
    if script:  # without one no style can be requested for
        assert page.evaluate(DRESS)[:2] == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


@pytest.mark.parametrize("name", ["blocks", "two-models"])
def test_a_report_is_read_without_a_script(opened, name):
    page = opened(name, java_script_enabled=False)
    assert page.locator(".verdict h1").first.is_visible()
    assert page.locator("svg.picture").first.is_visible()
    assert page.locator("section table").first.is_visible() or name == "two-models"
    assert not any(button.is_visible() for button in page.locator("button").all())
    page.locator("details.section > summary").first.click()
    assert page.locator("details.section").first.get_attribute("open") is not None


# --- Notebooks ------------------------------------------------------------------------------------

# What JupyterLab, Notebook 6 and VS Code say of tables, from their style sheets.
NOTEBOOKS = """
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th { vertical-align: middle; padding: 0.5em; }
.jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) td, .jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) th,
.jp-RenderedHTMLCommon:not(.jp-RenderedMarkdown) tr { text-align: right; }
.rendered_html td, .rendered_html th, .rendered_html tr { text-align: right; vertical-align: middle; }
"""
SIDES = """(table) => [...table.tBodies[0].rows]
  .flatMap((row) => [...row.cells].map((cell) => [cell.textContent, getComputedStyle(cell).textAlign]))"""
NUMBER = re.compile(r"[<-]? ?[\d.,]+%?")


def test_a_notebook_shows_words_on_the_left_and_numbers_on_the_right(browser):
    table = ta.PairedTable(20, 25, 10, 45, models=("old", "new"))
    words = [ta.compare(table), ta.estimate(ta.ErrorCount(3, 120)), ta.exact_coverage("wald", 20, points=50)]
    figures = [
        table,
        ta.calibrate(["mcnemar", "tango"], table),
        ta.calibrate(["wald", "wilson"], ta.ErrorCount(3, 120)),
    ]
    text = "".join(each._repr_html_() for each in (*words, *figures))
    page = browser.new_page()
    page.set_content(
        f'<style>{NOTEBOOKS}</style><div class="rendered_html jp-RenderedHTMLCommon">{text}<table><tr><td>1'
    )
    cells = [each.evaluate(SIDES) for each in page.locator("table").all()]
    assert cells.pop() == [["1", "right"]]  # as the notebook would have it
    assert len(cells) >= len(words) + len(figures)
    for table_of_cells in cells:
        assert {side for text, side in table_of_cells if NUMBER.fullmatch(text)} <= {"right"}
        assert table_of_cells[0][1] == "left"  # the head of a line
        assert {side for text, side in table_of_cells if " " in text and not NUMBER.match(text)} <= {"left"}
    page.close()
