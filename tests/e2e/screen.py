"""What a user sees and does, by the words on the screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

WAITING = re.compile("Waiting for you")


class Screen:
    """One tab.

    Args:
        page: Playwright's page.
        url: Address of the server.
    """

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        self.url = url

    @classmethod
    def open(cls, context: Any, url: str, path: str = "/") -> Screen:
        """A new tab at ``path``."""
        screen = cls(context.new_page(), url)
        screen.go(path)
        return screen

    def go(self, path: str) -> None:
        """Type an address."""
        self.page.goto(self.url + path)

    def refresh(self) -> None:
        """Press F5."""
        self.page.reload()

    @property
    def run_id(self) -> str:
        """The run in the address."""
        found = re.search(r"[?&]run=(\w+)", self.page.url)
        return found[1] if found else ""

    # ------------------------------------------------------------ finding

    def button(self, name: str) -> Any:
        """A button by the word on it."""
        return self.page.get_by_role("button", name=name)

    def text(self, words: str | re.Pattern[str]) -> Any:
        """Where words stand."""
        return self.page.get_by_text(words).first

    def heading(self, name: str | re.Pattern[str]) -> Any:
        """A heading."""
        return self.page.get_by_role("heading", name=name).first

    def sees(self, words: str | re.Pattern[str], seconds: float = 30) -> None:
        """Wait until words are on the screen."""
        self.text(words).wait_for(timeout=seconds * 1000)

    def gone(self, words: str) -> None:
        """Wait until words are nowhere on the screen; while it is drawn anew they may be twice."""
        from playwright.sync_api import expect

        expect(self.page.get_by_text(words)).to_have_count(0, timeout=30_000)

    # ------------------------------------------------------------ doing

    def ask(self, question: str) -> None:
        """Type a question and start."""
        self.page.get_by_label("Your question").fill(question)
        self.button("Start research").click()
        self.page.wait_for_url(re.compile(r"[?&]run="))

    def upload(self, *files: Path) -> None:
        """Choose files in the upload box."""
        self.page.locator("input[type=file]").set_input_files(list(files))

    def plan(self) -> None:
        """Wait for the plan."""
        self.button("Approve and start").wait_for()

    def approve(self) -> None:
        """Approve the plan as it stands."""
        self.button("Approve and start").click()

    def download(self, name: str, folder: Path) -> Path:
        """Click a download and keep the file under the name it comes with."""
        with self.page.expect_download(timeout=60_000) as caught:
            self.button(name).click()
        path = folder / caught.value.suggested_filename
        caught.value.save_as(path)
        return path
