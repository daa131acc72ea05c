"""A run belongs to the server, not to the tab: refresh, second tab, stop, kill -9."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable

from tests.e2e.program import Program
from tests.e2e.screen import Screen
from tests.servers.server import Server

OpenScreen = Callable[..., Screen]
QUESTION = "What moves the tides, and where are they highest?"


def begun(tab: Screen) -> None:
    """A run whose plan waits."""
    tab.ask(QUESTION)
    tab.plan()


def slow(server: Server) -> None:
    """From now on the model takes its time, so that there is a mid-run to be in."""
    server.model.first_token_s = 1.0
    server.model.tokens_per_s = 40.0


def fast(server: Server) -> None:
    """From now on the model answers at once."""
    server.model.first_token_s = 0.01
    server.model.tokens_per_s = 4000.0


def test_a_refresh_in_mid_run_finds_the_run_again(
    modelled: Program, server: Server, screen: OpenScreen
) -> None:
    tab = screen(modelled)
    begun(tab)
    slow(server)
    tab.approve()
    tab.button("Stop").wait_for()
    tab.refresh()
    tab.button("Stop").wait_for()
    tab.sees(QUESTION)
    fast(server)
    tab.heading("Sources").wait_for(timeout=60_000)


def test_a_second_tab_shows_the_same_run_and_stop_ends_it_in_both(
    modelled: Program, server: Server, screen: OpenScreen
) -> None:
    first = screen(modelled)
    begun(first)
    slow(server)
    first.approve()
    first.button("Stop").wait_for()
    second = screen(modelled, f"/?run={first.run_id}")
    second.button("Stop").click()
    for tab in (first, second):
        tab.button("Resume").wait_for()
        tab.sees("Stopped")
    fast(server)
    first.button("Resume").click()
    first.heading("Sources").wait_for(timeout=60_000)


def test_free_text_sends_the_plan_back_and_it_comes_again(
    modelled: Program, server: Server, screen: OpenScreen
) -> None:
    tab = screen(modelled)
    begun(tab)
    tab.button("Have it revised").click()
    tab.sees("Say first what should be different.")
    tab.page.get_by_label("Or say what should be different").fill("Look at Brest as well")
    tab.button("Have it revised").click()
    assert server.model.wait_until(
        lambda: any("Look at Brest as well" in one.prompt for one in server.model.requests)
    )
    tab.plan()


def test_a_run_that_waits_can_be_stopped_and_deleted(modelled: Program, screen: OpenScreen) -> None:
    tab = screen(modelled)
    tab.ask("Which question is not worth its answer?")
    tab.plan()
    tab.button("Stop").click()
    tab.button("Resume").wait_for()
    tab.go("/reports")
    tab.button("Delete").first.click()
    dialog = tab.page.get_by_role("dialog")
    dialog.get_by_text("not worth its answer").wait_for()
    dialog.get_by_role("button", name="Delete").click()
    dialog.wait_for(state="hidden")
    tab.text("not worth its answer").wait_for(state="hidden")


def test_a_plan_waits_across_a_killed_server(
    mortal: Program, server: Server, screen: OpenScreen
) -> None:
    tab = screen(mortal)
    begun(tab)
    mortal.kill()
    mortal.start()
    again = screen(mortal, f"/?run={tab.run_id}")
    again.plan()
    again.approve()
    again.heading("Sources").wait_for(timeout=60_000)


def test_a_run_goes_on_after_a_killed_server_and_pays_for_nothing_twice(
    mortal: Program, server: Server, screen: OpenScreen
) -> None:
    tab = screen(mortal)
    begun(tab)
    slow(server)
    before = len(server.model.requests)
    tab.approve()
    assert server.model.wait_until(
        lambda: sum(one.outcome == "answered" for one in server.model.requests) > before, 60
    )
    mortal.kill()
    paid = kept_by(server, time.monotonic())
    fast(server)
    mortal.start()
    again = screen(mortal, f"/?run={tab.run_id}")
    again.heading("Sources").wait_for(timeout=60_000)
    again.sees(re.compile("interrupted"))
    asked = Counter(one.prompt for one in server.model.requests)
    assert paid and [prompt for prompt in paid if asked[prompt] > 1] == []


def kept_by(server: Server, moment: float) -> list[str]:
    """The prompts whose answers the program surely had in its ledger at ``moment``."""
    return [
        one.prompt
        for one in server.model.requests
        if one.outcome == "answered" and one.ended is not None and one.ended < moment - 0.5
    ]
