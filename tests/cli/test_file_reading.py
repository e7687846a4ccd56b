"""A progress bar appears on a terminal if reading takes long."""

import io
import sys
import threading
import time

import pytest

import tellapart.readers
from tellapart.cli import file_reading


class Terminal(io.StringIO):
    """A stream that pretends to be a terminal."""

    def isatty(self):
        """Return True, as a terminal does."""
        return True

    def shows(self, text, within=10.0):
        """Wait until a text appears."""
        end = time.monotonic() + within
        while text not in self.getvalue() and time.monotonic() < end:
            time.sleep(0.005)
        return text in self.getvalue()


def on_terminal(monkeypatch, patience):
    """Replace stderr by a terminal; a fixture would be too early, as pytest replaces stderr later."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(file_reading, "_PATIENCE", patience)
    return stream


def started_since(before, within=0.0):
    """Return the threads that were started and still run after a moment; rich ends its own with a delay."""
    for thread in set(threading.enumerate()) - before:
        thread.join(within)
    return set(threading.enumerate()) - before


def test_the_progress_bar_appears_after_two_seconds():
    assert file_reading._PATIENCE == 2


def test_a_bar_appears_if_reading_takes_longer(monkeypatch):
    terminal = on_terminal(monkeypatch, patience=0.0)
    before = set(threading.enumerate())
    with file_reading.progress("reading big.parquet"):
        assert terminal.shows("reading big.parquet")
    assert not started_since(before, within=10.0)  # no thread is left that draws over the answer


def test_no_bar_appears_if_reading_is_quick(monkeypatch):
    terminal = on_terminal(monkeypatch, patience=3600.0)
    before = set(threading.enumerate())
    with file_reading.progress("reading small.csv"):
        assert len(started_since(before)) == 1  # somebody looks at the clock
    assert not started_since(before)
    assert terminal.getvalue() == ""


def test_no_bar_appears_without_a_terminal(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(file_reading, "_PATIENCE", 0.0)
    before = set(threading.enumerate())
    with file_reading.progress("reading big.parquet"):
        assert not started_since(before)
    assert stream.getvalue() == ""


def test_an_error_ends_the_bar_and_propagates(monkeypatch):
    terminal = on_terminal(monkeypatch, patience=0.0)
    before = set(threading.enumerate())

    def read():
        assert terminal.shows("reading bad.csv")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), file_reading.progress("reading bad.csv"):
        read()
    assert not started_since(before, within=10.0)


def test_the_bar_names_the_files_without_their_folders(monkeypatch, tmp_path):
    """The bar is shown while the first file is opened; the answer is the same without it."""
    file = tmp_path / "animals.csv"
    file.write_text("label,a,b\ncat,cat,dog\ndog,dog,dog\n")
    request = {"models": None, "key": None, "labels": None, "label": None, "group": None, "correct": False}
    request |= {"weight": None, "missing": "fail", "model": None, "prediction": None}
    terminal = on_terminal(monkeypatch, patience=0.0)
    read = tellapart.readers.read_predictions

    def slowly(*args, **kwargs):
        assert terminal.shows("reading animals.csv")
        return read(*args, **kwargs)

    monkeypatch.setattr(tellapart.readers, "read_predictions", slowly)
    tally = file_reading.count_predictions((str(file),), **request)
    assert tally.paired_table().only_b_wrong == 1


@pytest.mark.parametrize(
    ("files", "names"),
    [(("a/old.csv", "b/new.csv"), ["old", "new"]), (("a/run.csv", "b/run.csv"), ["a/run.csv", "b/run.csv"])],
)
def test_files_are_shown_by_name_or_by_path_if_names_are_equal(files, names):
    assert file_reading.name_files(files) == names
