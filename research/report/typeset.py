"""From the laid-out report to PDF, by Typst; runs in the child process of the press.

The template is fixed and reads the report as JSON, so nothing in a report is ever Typst code.
Typst sees one temporary folder, the fonts of :mod:`research.report.fonts` and no network.
"""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from research.report.charts import draw
from research.report.fonts import folders

TEMPLATE = Path(__file__).with_name("template.typ")


def typeset(job: dict[str, Any]) -> bytes:
    """The PDF of a job of :func:`research.report.pdf.to_pdf`.

    Args:
        job: ``report`` (what the template reads), ``charts`` (``figure`` and ``caption`` by id),
            ``language`` and ``created_at``.
    """
    import typst

    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        files = {}
        for index, (chart_id, chart) in enumerate(job["charts"].items()):
            picture = draw(chart["figure"], "svg", job["language"], chart["caption"])
            if picture:
                files[chart_id] = f"chart-{index}.svg"
                (root / files[chart_id]).write_bytes(picture)
        (root / "report.json").write_text(
            json.dumps({**job["report"], "files": files}, ensure_ascii=False), "utf-8"
        )
        (root / "main.typ").write_bytes(TEMPLATE.read_bytes())
        fonts = typst.Fonts(
            include_system_fonts=False, include_embedded_fonts=True, font_paths=folders()
        )
        compiler = typst.Compiler(
            root / "main.typ", root, fonts, package_path=root, package_cache_path=root
        )
        moment = datetime.fromtimestamp(int(job["created_at"]), UTC)
        try:
            made = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=moment)
        except typst.TypstError:
            # The accessibility standard refuses some oddities that any reader can show.
            made = compiler.compile(format="pdf", timestamp=moment)
    assert isinstance(made, bytes)
    return made
