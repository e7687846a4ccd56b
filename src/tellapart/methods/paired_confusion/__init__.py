"""Two classifiers by precision, recall, F and the like: every test and interval that joint counts allow.

Most methods are functions of a `PairedConfusion` that return a pivot of loss(A) − loss(B), from which interval and test
follow, at any margin; those that are a test alone take `alternative` by keyword. To add one, read `delta.py`.
"""
