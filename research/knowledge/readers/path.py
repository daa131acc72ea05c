"""The headings above the text that is being read."""

from __future__ import annotations


class HeadingPath:
    """Keeps the titles from the outermost heading to the one right above."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, str]] = []

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles, the outermost first."""
        return tuple(title for _, title in self._stack)

    def enter(self, level: int, title: str) -> None:
        """Go under a heading; it ends every heading of its level and below."""
        while self._stack and self._stack[-1][0] >= level:
            self._stack.pop()
        self._stack.append((level, title))
