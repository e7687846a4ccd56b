"""Intervals for one error rate, and tests of it against a threshold.

Every interval is a function of an `ErrorCount`, with `alpha` and `side` ("two", "upper" or "lower") by keyword; every
test takes `against` (the threshold) and `alternative`. Test and interval of one name agree. `wilson_score.py` is an
example for a new method: facts, docstring, arithmetic.
"""
