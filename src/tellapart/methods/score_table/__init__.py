"""Learners over many data sets: every test, interval and comparison of ranks that a table of scores allows.

Every method is a function of `ScoreTable`; a test of two learners takes `alternative` by keyword (and `against`, where
it can serve a margin), an interval `alpha` and `side`; tests of several ask whether any two differ.
"""
