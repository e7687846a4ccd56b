"""The documents are up to date: method pages, links, and the output of commands."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import tellapart as ta
from tellapart.bibliography import cite
from tellapart.cli import main
from tellapart.cli.method_pages import status_text
from tellapart.evidence.plan import as_plan
from tellapart.lab import PairedOutcomes, calibrate
from tellapart.methods.cards import card

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
WRITTEN = [page for page in PAGES if page.parent.name != "methods"]


def _generator():
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = _generator()
METHODS = tuple(generate.methods())


def _id(page):
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("name", METHODS)
def test_the_page_of_a_method_is_up_to_date(name):
    page = generate.FOLDER / f"{name}.md"
    assert page.exists(), f"run: python docs/generate.py (there is no {page.name})"
    assert generate.same(page.read_text(encoding="utf-8"), generate.page(name)), "run: python docs/generate.py"


def test_the_index_of_methods_is_up_to_date():
    shown = (generate.FOLDER / "index.md").read_text(encoding="utf-8")
    assert generate.same(shown, generate.index()), "run: python docs/generate.py"


def test_no_page_of_a_method_is_left_over():
    assert {page.stem for page in generate.FOLDER.glob("*.md")} == {"index", *METHODS}


@pytest.mark.parametrize("page", WRITTEN, ids=_id)
def test_console_blocks_show_what_the_commands_print(page):
    text = page.read_text(encoding="utf-8")
    assert generate.same(text, generate.with_output(text)), "run: python docs/generate.py"


def test_pages_are_the_same_up_to_digits_that_processors_disagree_on():
    assert generate.same('"low": 0.008538174769902228,', '"low": 0.008538174769902231,')
    assert not generate.same('"low": 0.008538174769902228,', '"low": 0.008538174869902228,')
    assert not generate.same("mean coverage     0.9516", "mean coverage     0.9517")


@pytest.mark.parametrize("name", ["jeffreys", "posterior"])
def test_the_coverage_on_a_page_is_what_the_command_prints(name):
    result = re.findall(
        r"^\| (\d+) examples, (all error rates|error rates up to 10%)[^|]* \| (\S+) \| (\S+) \| (\S+) \| exact \|$",
        generate.page(name),
        re.MULTILINE,
    )
    assert len(result) == 10
    for trials, errors, mean, minimum, width in result:
        to = ["--to", "0.1"] if "10%" in errors else []
        prior = ["--prior", "1,3.67"] if name == "posterior" else []
        output = CliRunner().invoke(main, ["coverage", "--trials", trials, "--method", name, *to, *prior]).output
        assert f"  coverage  mean {mean}; minimum {minimum}, " in output
        assert f"  interval  expected width {width}\n" in output


def test_the_check_of_the_generator_finds_a_page_that_is_out_of_date(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "methods"
    folder.mkdir()
    monkeypatch.setattr(generate, "FOLDER", folder)
    monkeypatch.setattr(generate, "pages", lambda: iter([(folder / "wilson.md", "new\n")]))
    (folder / "wilson.md").write_text("old\n", encoding="utf-8")
    (folder / "gone.md").write_text("a method that is no more\n", encoding="utf-8")
    assert generate.main(["--check"]) == 1
    assert (folder / "wilson.md").read_text(encoding="utf-8") == "old\n"
    assert generate.main([]) == 0
    assert sorted(page.name for page in folder.iterdir()) == ["wilson.md"]
    assert generate.main(["--check"]) == 0
    assert generate.main(["--chekc"]) == 2
    assert "takes --check or nothing" in capsys.readouterr().err


@pytest.mark.parametrize("name", METHODS)
def test_page_registry_and_card_agree(name):
    """The page shows every measured row, the status and the command; `tellapart methods --explain` the same numbers."""
    text = generate.page(name)
    for method in generate.methods()[name]:
        arguments = ["methods", name, "--from", method.evidence.__name__, "--explain"]
        printed = CliRunner().invoke(main, arguments, terminal_width=1000).output
        assert f"| status | **{status_text(method)}**: " in text
        measured = card(method)
        if method.gives == "estimate":
            assert measured is None
            continue
        assert f"`{measured.command}`" in text
        assert measured.command in " ".join(printed.split())
        _caption, *lines = measured.text_table("measured").to_lines()
        assert "\n".join(lines) in printed
        for row, (_, *figures) in zip(measured.cells()[1:], measured.text_table().lines, strict=True):
            assert f"| {' | '.join(row)} |" in text
            assert figures == row[1 : 1 + len(figures)]  # a terminal has the number of trials above, if it is one


def test_exact_size_is_that_of_a_sum_over_all_tables():
    """The exact McNemar test at 20 examples and 80 % disagreement, by exact fractions."""
    from fractions import Fraction
    from math import comb

    size = Fraction(0)
    for disagreements in range(21):
        weight = comb(20, disagreements) * Fraction(4, 5) ** disagreements * Fraction(1, 5) ** (20 - disagreements)
        for discordant in range(disagreements + 1):
            tail = sum(comb(disagreements, j) for j in range(min(discordant, disagreements - discordant) + 1))
            if 2 * tail * 20 < 2**disagreements:  # twice the tail is below 0.05
                size += weight * Fraction(comb(disagreements, discordant), 2**disagreements)
    (exact,) = ta.find_methods(name="mcnemar-exact", gives="test", evidence=ta.PairedTable)
    result = calibrate(exact, PairedOutcomes(0.44, 0.44, 0.8, 20), differences=[]).size.value
    assert abs(result - float(size)) < 1e-12
    row = next(row for row in card(exact).entries if row.design == "20 examples")
    assert row.size.extreme >= float(f"{float(size):.6g}")


CHECKS = generate.checks.codes()


def _page_of_check(code):
    return (generate.checks.FOLDER / f"{code}.md").read_text(encoding="utf-8")


def test_every_check_has_a_page_and_a_row_and_no_other_has():
    pages = sorted(page.stem for page in generate.checks.FOLDER.glob("*.md"))
    index = (DOCS / "reference" / "checks.md").read_text(encoding="utf-8")
    assert pages == re.findall(r"^\| \[(\w+)\]\(checks/\1\.md\) \| \S", index, re.MULTILINE) == CHECKS


@pytest.mark.parametrize("code", CHECKS)
def test_the_page_of_a_check_shows_its_message_the_reason_and_a_way_out(code):
    """The message stands there as an output, whose commands run as doctests."""
    text = _page_of_check(code)
    assert text.startswith(f"# {code}: ")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == ["Where it fails", "Why it matters", "What to do"]
    fails, why, way_out = (text.split(f"\n## {heading}\n")[1].split("\n## ")[0] for heading in headings)
    shown = " ".join(fails.split())
    assumptions = [each for method in ta.find_methods() for each in method.assumes if each.code == code]
    violations = [each.violation for each in assumptions if isinstance(each.violation, str)]
    patterns = [r".{1,20}?".join(map(re.escape, re.split(r"\{[^}]+\}", violation))) for violation in violations]
    assert not patterns or any(re.search(pattern.replace(r"s\ ", r"s?\ "), shown) for pattern in patterns)
    remedies = [each.remedy for each in assumptions if isinstance(each.remedy, str)]
    assert not remedies or any(remedy in shown for remedy in remedies)
    if code not in {each.code for each in assumptions}:
        assert "do not use '" in shown
    assert ">>> " in way_out
    assert re.search(r"\d|>>> ", why)
    assert "\nSee also " in way_out


@pytest.mark.parametrize("code", CHECKS)
def test_the_page_of_a_check_names_the_methods_that_carry_it(code):
    text = _page_of_check(code)
    assert text == generate.checks.with_facts(code, text), "run: python docs/generate.py"
    facts = text.partition(generate.checks.BEGIN)[2].partition(generate.checks.END)[0]
    named = re.findall(r"\[(\S+)\]\(\.\./methods/\1\.md\) \(([a-z, ]+)\)", facts)
    carried = {(method.name, method.gives) for method in generate.checks.carriers(code)}
    assert {(name, gives) for name, kinds in named for gives in kinds.split(", ")} == carried


@pytest.mark.parametrize("code", CHECKS)
def test_the_page_of_a_method_links_to_its_checks(code):
    for method in generate.checks.carriers(code):
        page = (generate.FOLDER / f"{method.name}.md").read_text(encoding="utf-8")
        assert f"[{code}](../checks/{code}.md): " in page


@pytest.mark.parametrize("name", ta.__all__)
def test_every_public_name_has_a_line_and_an_example(name):
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    twin = {"Breakdown": "breakdown-1", "Estimate": "estimate-1", "Race": "race-1", "plan": "plan-1"}.get(
        name, name.lower()
    )  # an anchor knows no capitals
    assert f"| [`{name}`](#{twin}) |" in text
    _, result, section = text.partition(f"\n## {name}\n")
    assert result
    assert re.search(rf">>> .*(ta\.)?{name}|\.\.\. .*ta\.{name}", section.partition("\n## ")[0])


def _plans():
    """Return plan, test and estimator of each row of the table of plans."""
    text = (
        (DOCS / "reference" / "python.md").read_text(encoding="utf-8").partition("\n## Plan\n")[2].partition("\n## ")[0]
    )
    rows = [
        [re.findall(r"`([^`]+)`", cell) for cell in row.split("|")[1:-1]] for row in text.splitlines() if "| `" in row
    ]
    return [
        (plan, *test[:1], *estimator[:1]) for plans, _, test, estimator in rows for plan in plans if test and estimator
    ]


@pytest.mark.parametrize(("name", "test", "estimator"), _plans())
def test_the_table_of_plans_has_what_compare_and_estimate_do(name, test, estimator):
    plan = as_plan(name, 6)
    if plan.kind == "delve":
        evidence = ta.TrainingSets(np.zeros((2, 8, 5)))
        assert (evidence.default("test"), evidence.default("estimate")) == (test, estimator)
        return
    evidence = ta.Resamples(np.zeros((2, plan.replicates, plan.folds)), 1 if name == "loo" else 30, 60, plan)
    assert evidence.select("A").default("estimate") == estimator
    if name.startswith("holdout"):  # whose classifiers are compared as such
        assert test == ta.compare(ta.PairedTable(1, 2, 3, 4)).method
    else:
        assert evidence.default("test") == test


@pytest.mark.parametrize("command", main.list_commands(None))
def test_every_command_has_its_section(command):
    assert f"\n## tellapart {command}\n" in (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")


def _anchors(page):
    """Return the anchors of a page's headings, as GitHub makes them: the second of a name ends in -1."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    anchors = Counter()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        anchors[plain if plain not in anchors else f"{plain}-{anchors[plain]}"] += 1
    return set(anchors)


@pytest.mark.parametrize("page", PAGES, ids=_id)
def test_links_lead_to_a_page_and_a_heading(page):
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    for link in links:
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{_id(page)} links to {link}, which does not exist"
        if anchor:
            assert anchor in _anchors(target), f"{_id(page)} links to {link}, but there is no such heading"


def test_every_page_can_be_reached_from_the_index():
    seen, open_ = set(), [DOCS / "index.md"]
    while open_:
        page = open_.pop()
        if page not in seen and page.suffix == ".md" and DOCS in page.parents:
            seen.add(page)
            links = re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text(encoding="utf-8"))
            open_ += [(page.parent / link).resolve() for link in links if "://" not in link]
    assert seen == set(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=_id)
def test_a_doctest_ends_before_its_fence(page):
    """A fence right below an output would be taken for a part of it."""
    for block in re.findall(r"^ *```python\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        assert ">>> " not in block or block.endswith("\n\n")


@pytest.fixture(scope="module", params=["add-a-method", "add-a-kind-of-evidence"])
def plugin(request, tmp_path_factory):
    """Install the package that a how-to shows: its module and its entry point; return the page and what runs there."""
    text = (DOCS / "how-to" / f"{request.param}.md").read_text(encoding="utf-8")
    site = tmp_path_factory.mktemp("site")
    name, source = re.search(r"```python\n# (\w+)\.py\n(.*?)```", text, re.DOTALL).groups()
    (site / f"{name}.py").write_text(source, encoding="utf-8")
    toml = re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1]
    group, entry = re.search(r'\[project\.entry-points\."(.+)"\]\n(.+)\n', toml).groups()
    info = site / f"tellapart_{name}-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tellapart-{name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry.replace(chr(34), '')}\n")
    for content, file in re.findall(r"^With `(\{.+\})` in `(.+)`:$", text, re.MULTILINE):
        (site / file).write_text(content, encoding="utf-8")
    path = os.pathsep.join([str(site), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])

    def run(*arguments):
        done = subprocess.run(  # noqa: S603  # our own interpreter
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            encoding="utf-8",
            check=False,
            cwd=site,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return text, run


def test_the_package_in_a_how_to_works(plugin):
    text, run = plugin
    session = re.search(r"```shell-session\n(.*?)```", text, re.DOTALL)[1]
    (command,) = re.findall(r"^\$ (.+)$", session, re.MULTILINE)
    assert session == f"$ {command}\n{run('-m', *shlex.split(command))}"
    for judged in re.findall(r"^tellapart coverage .+$", text, re.MULTILINE):
        assert "Plus four" in run("-m", *shlex.split(judged))


def test_the_lines_below_a_package_in_a_how_to_run(plugin):
    text, run = plugin
    (_, *others) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert others
    for lines in others:
        printed = re.findall(r"^print\(.*\)  # (.+)$", lines, re.MULTILINE)
        assert run("-c", lines).splitlines() == printed


def test_the_reference_in_the_how_to_can_be_cited():
    text = (DOCS / "how-to" / "add-a-method.md").read_text(encoding="utf-8")
    snippet = re.search(r"```python\n(from tellapart\.bibliography.*?)```", text, re.DOTALL)[1]
    names = {}
    exec(snippet, names)  # noqa: S102  # our own page
    assert "(2024)" in cite(names["reference"])


def test_the_reference_names_every_name_of_the_lab():
    """The reference of the Python names has every name that `tellapart.lab` exports."""
    from tellapart import lab

    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    assert [name for name in lab.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_the_reference_names_every_name_of_reproduce():
    """The reference of the Python names has every name that `tellapart.reproduce` exports."""
    from tellapart import reproduce

    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8").partition("\n## tellapart.reproduce\n")[2]
    section = page.partition("\n## ")[0]
    assert [name for name in reproduce.__all__ if f"| `{name}" not in section] == []
