"""Several models on one test set: an overall test, all pairs, and the selection bias of the best.

Everything is computed from the counts of error patterns.
"""
