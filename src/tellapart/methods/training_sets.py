"""Learners on much data: disjoint training sets and one test set, both a sample of what could have been."""

from __future__ import annotations
