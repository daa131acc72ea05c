"""Takes the pictures of the README from the running application: ``python docs/screenshots.py``.

It starts the application without a key on a data folder of its own, does the main job on the
sample documents, and writes ``docs/images/*.png``. Needs playwright and Debian's chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from tests.e2e.program import Program  # noqa: E402
from tests.e2e.screen import Screen  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SIZE = {"width": 1280, "height": 860}


def main() -> None:
    """Start the application, and photograph it step by step."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as driver:
        program = Program(Path(home), {})
        program.start()
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        try:
            run_id = light(browser, program)
            dark(browser, program, run_id)
        finally:
            browser.close()
            program.stop()


def light(browser: Any, program: Program) -> str:
    """The main job from the first screen to the report; gives the id of the run."""
    screen = Screen.open(browser.new_context(viewport=SIZE, locale="en-US"), program.url)
    screen.button("Try it with the sample documents").click()
    screen.sees("60 rows")
    screen.text("Options").click()
    screen.page.get_by_text("Search the web").click()
    screen.text("Options").click()
    take(screen, "ask")
    screen.button("Start research").click()
    screen.plan()
    take(screen, "plan")
    screen.approve()
    screen.button("Stop").wait_for()
    screen.page.get_by_text("running").first.wait_for()
    take(screen, "watch")
    screen.heading("Sources").wait_for(timeout=120_000)
    screen.page.locator(".main-svg").first.wait_for()
    take(screen, "report")
    screen.page.get_by_role("link", name="[2]").first.click()
    take(screen, "sources")
    return screen.run_id or run_of(screen)


def run_of(screen: Screen) -> str:
    """The newest run."""
    screen.go("/reports")
    screen.page.get_by_role("link", name="Open").first.click()
    screen.heading("Sources").wait_for()
    return screen.run_id


def dark(browser: Any, program: Program, run_id: str) -> None:
    """The same report in the dark and in Chinese."""
    context = browser.new_context(viewport=SIZE, locale="zh-CN", color_scheme="dark")
    screen = Screen.open(context, program.url, f"/?run={run_id}")
    screen.page.locator(".main-svg").first.wait_for()
    take(screen, "report-dark-zh")


def take(screen: Screen, name: str) -> None:
    """Save what is on the screen once it has come to rest."""
    screen.page.wait_for_timeout(700)
    screen.page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
