"""Intervals and tests for the difference of two error rates, on two independent test sets.

Every interval is a function of `IndependentCounts`, with `alpha` and `side` by keyword, and every test
takes `alternative`; score tests also take `against`, the difference to test, for margins.
"""
