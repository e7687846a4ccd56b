"""Per-example scores: every test, interval and comparison that keeps clusters, weights, groups and repeats.

Every method is a function of `Outcomes`, of one model or of two; a test takes `alternative` (and `against`, where it
can serve a margin) by keyword, an interval `alpha` and `side`. To add one, read `mean.py`.
"""
