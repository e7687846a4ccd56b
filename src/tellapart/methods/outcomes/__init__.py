"""Per-example scores: tests, intervals and comparisons for clusters, weights, groups and repeats.

Every method is a function of `Outcomes`, of one model or of two; a test takes `alternative` (and `against`, if it
accepts a margin) by keyword, an interval `alpha` and `side`. To add a method, see `mean.py`.
"""
