"""Arithmetic of arrays: quantiles and tails, roots, repeated work done once; it knows no evidence and no method."""
