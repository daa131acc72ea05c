"""Settings: what is on, what is missing, and the exact thing to set for it."""

from __future__ import annotations

from pages.parts import installation

installation.show()
