"""Scores of learners on many data sets, from tables, folders of races and results of scikit-learn."""

from __future__ import annotations

from .recognising import holds_data_sets, holds_races
from .score_reading import read_scores

__all__ = ["holds_data_sets", "holds_races", "read_scores"]
