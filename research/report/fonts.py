"""The fonts of every export, from packages: no export depends on what a machine has installed."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGES = ("manimgx_fonts", "noto_cjk_sans_otc", "noto_cjk_sans_jp_bold")
FAMILY = "Noto Sans"
CJK_FAMILY = "Noto Sans CJK SC"

INK, FAINT, GRID = "#1f2937", "#6b7280", "#e5e7eb"


def folders() -> list[Path]:
    """The folders that hold the font files."""
    specs = [find_spec(package) for package in PACKAGES]
    return [Path(spec.origin).parent for spec in specs if spec and spec.origin]


@cache
def register() -> None:
    """Make the fonts known to Matplotlib, once in a process."""
    from matplotlib.font_manager import fontManager

    for name in ("NotoSans[[]wght].ttf", "NotoSansCJK-Regular.ttc"):
        for folder in folders():
            for path in folder.glob(name):
                fontManager.addfont(path)


def style() -> Any:
    """Matplotlib's settings for one chart: quiet axes, and text that is never a formula."""
    register()
    return {
        "font.family": [FAMILY, CJK_FAMILY],
        "font.size": 9,
        "text.parse_math": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.titlesize": 10,
        "axes.labelsize": 9,
        "axes.edgecolor": "#9ca3af",
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": GRID,
        "grid.linewidth": 0.8,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "xtick.major.size": 3,
        "ytick.major.size": 0,
        "legend.fontsize": 8,
        "legend.frameon": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "dossier",
        "figure.facecolor": "white",
        "savefig.facecolor": "white",
    }
