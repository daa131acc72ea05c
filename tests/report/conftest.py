from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from research.models import Report
from research.report.evidence import Evidence
from research.report.pdf import to_pdf
from tests.report import reports

Given = tuple[Report, Evidence]


@pytest.fixture(scope="package", autouse=True)
def plain_template() -> None:
    """Figures as the sandbox makes them: Streamlit, once imported, puts its own look on all."""
    from plotly.io import templates

    templates.default = "plotly"


@pytest.fixture(scope="session")
def english() -> Given:
    return reports.english()


@pytest.fixture(scope="session")
def chinese() -> Given:
    return reports.chinese()


@pytest.fixture(scope="session")
def english_bytes(english: Given) -> bytes:
    return to_pdf(*english)


@pytest.fixture(scope="session")
def chinese_bytes(chinese: Given) -> bytes:
    return to_pdf(*chinese)


@pytest.fixture(scope="session")
def english_pdf(english_bytes: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(english_bytes))


@pytest.fixture(scope="session")
def chinese_pdf(chinese_bytes: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(chinese_bytes))
