"""Learners on little data: every test, interval and estimator that a plan of splits allows.

Every method is a function of `Resamples`; a test takes `alternative` by keyword (and `against`, where it can serve a
margin), an interval `alpha` and `side`. To add one, read `corrected.py`.
"""
