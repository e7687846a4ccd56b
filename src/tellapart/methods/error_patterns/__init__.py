"""Several models on one test set: do they differ at all, which two do, and what the best of them is worth.

All is computed from the counts of patterns.
"""
