"""Intervals and tests for the difference of two error rates, each on a test set of its own.

Every interval is a function of `IndependentCounts`, with `alpha` and `side` by keyword, and every test
takes `alternative`; score tests also take `against`, the difference to test, for margins.
"""
