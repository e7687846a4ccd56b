"""Data-generating processes with known true values: counts, and simulated, trained or real learners."""
