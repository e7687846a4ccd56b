"""Tables fit a terminal, and lose nothing by it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.display import TextTable
from tellapart.text_layout import fit_table, printable, wrap_text


def lines_of(head, lines, align, room=80):
    return [[line.rstrip() for line in part] for part in fit_table([head], lines, align, room)]


def test_a_table_that_fits_has_two_spaces_between_columns():
    assert lines_of(["test", "p"], [["tango", "0.02"]], "lr") == [["test      p", "tango  0.02"]]


def test_the_longest_text_goes_on_below_and_numbers_stay_in_the_first_line():
    [part] = lines_of(["design", "p"], [["50 examples, discordant rate 0.02 to 0.8", "0.02"]], "lr", room=26)
    assert part == [
        "design                p",
        "50 examples,       0.02",
        "  discordant rate",
        "  0.02 to 0.8",
    ]


def test_columns_of_numbers_that_do_not_fit_follow_below_with_the_names():
    numbers = [f"0.0{column}23 to 0.0{column}45" for column in range(5)]
    parts = lines_of(["test", *"abcde"], [["tango", *numbers]], "lrrrrr", room=40)
    assert [part[1].split("  ")[0].split(" ")[0] for part in parts if len(part) > 1] == ["tango"] * 3
    assert [part for part in parts if len(part) == 1] == [[""], [""]]
    shown = " ".join(line for part in parts for line in part)
    assert all(shown.count(number) == 1 for number in numbers)
    assert all(len(line) <= 40 for part in parts for line in part)


def test_a_cell_has_no_line_break_and_nothing_that_controls_a_terminal():
    table = TextTable(head=["a", "b"], lines=[["x\ny", f"{chr(27)}[31m"]], align="ll")
    assert list(table.to_lines())[1] == "  x y   [31m"


def test_a_long_caption_is_wrapped():
    table = TextTable(head=["a"], lines=[["x"]], align="l", caption="word " * 30)
    assert max(map(len, table.to_lines())) <= 80


@pytest.mark.parametrize("whole", ["p = 0.02", "2.0 pp", "0.3 to 1.9", "P(new better)"])
def test_figures_are_not_broken(whole):
    for width in range(14, 40):
        assert any(whole in line for line in wrap_text(f"one two three {whole} four five", width))


def test_printable_keeps_letters_of_all_scripts():
    assert printable("é 李 λ\n") == "é 李 λ\n"


@settings(derandomize=True, deadline=None, max_examples=50)
@given(
    st.integers(1, 5).flatmap(
        lambda columns: st.lists(
            st.lists(st.text("ab ", max_size=30), min_size=columns, max_size=columns), min_size=1, max_size=4
        )
    ),
    st.data(),
)
def test_no_word_is_lost(lines, data):
    align = data.draw(st.text("lr", min_size=len(lines[0]), max_size=len(lines[0])))
    parts = lines_of(["h"] * len(align), lines, align, room=data.draw(st.integers(10, 90)))
    words = sorted(word for part in parts for line in part for word in line.split() if word != "h")
    again = sum(part == [""] for part in parts)  # the first column, in every further part
    first = [word for line in lines for word in line[0].split()]
    assert words == sorted([*(word for line in lines for cell in line for word in cell.split()), *first * again])
