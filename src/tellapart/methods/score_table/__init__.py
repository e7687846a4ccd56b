"""Learners over many data sets: tests, intervals and comparisons of ranks for a table of scores.

Every method is a function of `ScoreTable`; a test of two learners takes `alternative` by keyword (and `against`, if it
accepts a margin), an interval `alpha` and `side`; tests of several learners test whether any two differ.
"""
