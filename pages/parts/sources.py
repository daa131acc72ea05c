"""What a report stands on: its numbered sources, and what the check of its sentences found."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.calculations import calculation_actions
from pages.parts.passages import passage_card
from pages.parts.words import plain, say
from research.models import Claim, Verdict
from research.report.citations import Citation
from research.report.evidence import Evidence

VERDICTS = {
    Verdict.SUPPORTED: (":material/check_circle:", "green"),
    Verdict.PARTLY: (":material/rule:", "orange"),
    Verdict.NOT_FOUND: (":material/help:", "red"),
}


def anchor(number: int) -> str:
    """Where a citation leads to."""
    return f"source-{number}"


def sources(entries: Sequence[Citation], evidence: Evidence, run_id: str) -> None:
    """Each cited passage of a run under its number, in full; what was calculated with its code."""
    if not entries:
        return
    st.header(say("report.sources"), anchor="sources")
    for entry in entries:
        with passage_card(entry, key="source", anchor=anchor(entry.number)):
            if calculation := evidence.calculations.get(entry.source.id):
                calculation_actions(run_id, calculation, f"source-{entry.number}")


def claims(checked: Sequence[Claim], entries: Sequence[Citation]) -> None:
    """Each cited sentence with its verdict, folded away."""
    if not checked:
        return
    numbers = {entry.passage.id: entry.number for entry in entries}
    found = sum(claim.verdict is Verdict.SUPPORTED for claim in checked)
    title = say("report.claims", found=found, all=len(checked))
    with st.expander(title, icon=":material/fact_check:"):
        st.caption(say("report.claims_help"))
        for claim in checked:
            icon, colour = VERDICTS[claim.verdict]
            cited = [numbers[each] for each in claim.passage_ids if each in numbers]
            links = " ".join(f"[\\[{each}\\]](#{anchor(each)})" for each in cited)
            lines = [
                f":{colour}[{icon} {say(f'verdict.{claim.verdict}')}] {links}  ",
                plain(claim.text),
            ]
            if claim.missing:
                missing = plain(", ".join(claim.missing))
                lines.append(f"  \n:gray[{say('report.missing', missing=missing)}]")
            st.markdown("\n".join(lines))
