"""Learners on resampled data: tests, intervals and estimators for each cross-validation design.

Every method is a function of `Resamples`; a test takes `alternative` by keyword (and `against`, if it accepts a
margin), an interval `alpha` and `side`. To add a method, see `corrected.py`.
"""
