"""Ways to collect evidence of which the truth is known: counts, learners that are simulated, trained, or real."""
