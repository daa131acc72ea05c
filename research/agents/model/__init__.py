"""The model-backed analyst: every agent of the graph, spoken by a language model."""

from research.agents.model.analyst import ModelAnalyst

__all__ = ["ModelAnalyst"]
