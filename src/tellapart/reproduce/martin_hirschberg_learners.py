"""The experiments of Martin and Hirschberg (1996), appendix B: nearest neighbours on two normal classes."""

from __future__ import annotations

__all__: list[str] = []
