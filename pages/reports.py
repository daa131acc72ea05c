"""Reports: every run, the newest first."""

from __future__ import annotations

from pages.parts import runs

runs.listing()
