"""Keeping what a model thinks aloud, between ``<think>`` tags, out of what it says."""

from __future__ import annotations

import re

OPEN, CLOSE = "<think>", "</think>"

_THOUGHT = re.compile(r"<(think(?:ing)?|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think(?:ing)?|reasoning)>", re.IGNORECASE)
_OPEN = re.compile(r"<(?:think(?:ing)?|reasoning)>", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """``text`` after its thoughts, also where one of the tags is missing."""
    text = _THOUGHT.sub("", text)
    text = _CLOSE.split(text)[-1]
    return _OPEN.split(text)[0].strip()


class ThoughtFilter:
    """Lets a streamed answer through, but for a thought it opens with."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"

    def feed(self, piece: str) -> str:
        """The part of the text so far that may now be shown, and was not before."""
        if self._state == "speaking":
            return piece
        self._held += piece
        if self._state == "start":
            head = self._held.lstrip()
            if head.startswith(OPEN):
                self._state = "thinking"
            elif not OPEN.startswith(head):
                return self._speak(self._held)
        if self._state == "thinking" and CLOSE in self._held:
            said = self._held.split(CLOSE, 1)[1].lstrip()
            return self._speak(said) if said else ""
        return ""

    def rest(self) -> str:
        """What is still held back at the end of the stream and is no thought."""
        return self._held if self._state == "start" else ""

    def _speak(self, text: str) -> str:
        self._state = "speaking"
        return text
