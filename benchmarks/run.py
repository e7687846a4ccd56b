"""Hold every contest: `make bench`. Exit status 1 if a goal was missed."""

from __future__ import annotations

import sys

import error_count
import lab
import logs
import neighbours
import paired_table
import planning
import races
import ranks
import score_tables
import start_up
import tables
from contest import hold_all


def main() -> int:
    """Hold the contests and return how many goals were missed."""
    small = start_up.wheel_is_small()
    with tables.written() as files, logs.written() as samples:
        flat = tables.memory_is_flat(files) & logs.memory_is_flat(samples)
        same = races.same_statistics() & ranks.bootstraps_are_flat() & score_tables.same_answers()
        contests = [*start_up.contests(), *error_count.contests(), *paired_table.contests(), *tables.contests(files)]
        contests += [*races.contests(), *lab.contests(), *planning.contests(), *neighbours.contests()]
        contests += [*logs.contests(samples), *ranks.contests(), *score_tables.contests()]
        return hold_all(contests) + (not small) + (not flat) + (not same)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
