"""Array arithmetic: quantiles and tails, roots, and repeated work done once; independent of evidence and methods."""
