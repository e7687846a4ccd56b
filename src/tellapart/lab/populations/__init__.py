"""Populations with a known Bayes rule and known true errors of classifiers."""
