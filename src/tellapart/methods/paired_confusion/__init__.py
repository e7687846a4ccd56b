"""Tests and intervals of precision, recall, F1 and other metrics of two classifiers, from their joint counts.

Most methods are functions of a `PairedConfusion` that return a pivot of loss(A) − loss(B), from which interval and test
follow, for any margin; those that are only a test take `alternative` by keyword. To add a method, see `delta.py`.
"""
