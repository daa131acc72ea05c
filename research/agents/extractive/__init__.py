"""The analyst that works with no key and no network."""

from research.agents.extractive.analyst import ExtractiveAnalyst

__all__ = ["ExtractiveAnalyst"]
