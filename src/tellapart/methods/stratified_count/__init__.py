"""Intervals for the error in a population whose strata were tested apart and whose shares are known.

Every interval is a function of a `StratifiedCount`, with `alpha` and `side` by keyword.
"""
