"""Where examples come from: populations that know their Bayes rule and the true error of any classifier."""
