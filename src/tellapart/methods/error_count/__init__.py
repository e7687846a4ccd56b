"""Intervals for one error rate, and tests of it against a threshold.

Every interval is a function of an `ErrorCount`, with `alpha` (the error probability)
and `side` ("two", "upper" or "lower") by keyword; every test takes `against` (the
threshold) and `alternative`. Test and interval of one name decide alike. To add one,
read `score.py`: facts, promise, arithmetic, in that order.
"""
