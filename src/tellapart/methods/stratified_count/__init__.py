"""Intervals for the error rate of a population with separately tested strata of known shares.

Every interval is a function of a `StratifiedCount`, with `alpha` and `side` by keyword.
"""
