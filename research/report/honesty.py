"""What a reader must know before relying on a report, in the report's language."""

from __future__ import annotations

from collections.abc import Iterator

from research.i18n import notice_text, text
from research.models import Claim, Report, Verdict


def mode_line(report: Report) -> str:
    """Who wrote the text: a model, or nobody, because it is all quotation."""
    return text(f"report.mode.{report.mode}", report.language)


def caveats(report: Report, dropped: int) -> list[str]:
    """What failed, came back empty or could not be confirmed; empty for a flawless report.

    Args:
        report: The report.
        dropped: Citations and figures that led nowhere.
    """
    return list(_caveats(report, dropped))


def doubtful(report: Report) -> list[Claim]:
    """The claims that their passages hold only in part or not at all."""
    return [claim for claim in report.claims if claim.verdict is not Verdict.SUPPORTED]


def verdict_line(claim: Claim, report: Report) -> str:
    """What the check of ``claim`` found, in one sentence."""
    language = report.language
    if not claim.missing:
        return text(f"report.verdict.{claim.verdict}", language)
    missing = text("report.list", language).join(
        text("report.quoted", language, words=each) if len(each) > 24 else each
        for each in claim.missing
    )
    return text("report.verdict.missing", language, missing=missing)


def _caveats(report: Report, dropped: int) -> Iterator[str]:
    language = report.language
    if not report.complete:
        yield text("report.partial", language)
    for notice in report.notices:
        yield notice_text(notice, language)
    total, rest = len(report.claims), len(doubtful(report))
    if rest:
        yield text("report.checked.some", language, total=total, sure=total - rest, rest=rest)
    if dropped:
        yield text("report.dropped", language, count=dropped)
