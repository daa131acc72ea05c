"""What an Office file says of itself: title, date, version."""

from __future__ import annotations

from datetime import date
from typing import Any

from research.knowledge.readers import Output
from research.knowledge.readers.cleaning import clean

NAMELESS = {"PowerPoint Presentation", "PowerPoint 演示文稿", "PowerPoint 簡報", "Word Document"}
"""What programs write as the title of what nobody gave one."""
TEMPLATES = {date(2013, 1, 27), date(2013, 12, 23)}
"""Days of the templates that programs make decks and documents from without changing the date."""


def send_properties(properties: Any, output: Output) -> None:
    """Send the core properties that python-docx and python-pptx give."""
    title = clean(properties.title or "")
    if title and title not in NAMELESS:
        output.title(title)
    if version := clean(properties.version or ""):
        output.version(version)
    changed = properties.modified or properties.created
    if changed is not None and changed.date() not in TEMPLATES:
        output.date(changed)
