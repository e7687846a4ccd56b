"""Scores by class: area under the ROC curve and average precision, of one model and of two on the same examples.

Every method is a function of `ClassScores`. It returns a pivot, or takes `alpha` and `side` by keyword and gives an
interval, or `alternative` and gives a test. Log loss and Brier score are means, and use the methods of `Outcomes`.
"""
