"""Text out of pictures, by the engine that is installed, if one is.

The engine is RapidOCR with the models for Chinese and English that its package holds; nothing is
ever fetched. It runs in the reader's child process, on one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.knowledge.readers.cleaning import clean

if TYPE_CHECKING:
    from PIL.Image import Image

SECONDS = 15.0
"""CPU time to allow for one picture; a full page takes about six."""
MOST_PAGES = 100
"""Pictures that are read of one file."""
LONGEST_SIDE = 2000
"""In pixels; finer pictures take longer and are read no better."""
SUREST = 0.6
"""Lines of which the engine is less sure are left out: it reads letters into anything."""


@dataclass(frozen=True)
class Seen:
    """A line of a picture; lengths in pixels from its top left."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@cache
def engine_installed() -> bool:
    """Whether text can be read out of pictures here."""
    return bool(_models("det") and _models("rec")) and find_spec("onnxruntime") is not None


def text_lines(picture: Image) -> list[Seen]:
    """The lines of text in ``picture``, from the top; the engine must be installed."""
    import numpy

    picture = picture.convert("RGB")
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    # The engine takes colours in the order of OpenCV.
    result = _engine()(numpy.ascontiguousarray(numpy.asarray(picture)[:, :, ::-1]))
    if result.boxes is None or result.txts is None or result.scores is None:
        return []
    return _lines(result.boxes, result.txts, result.scores)


def _lines(boxes: Any, texts: Sequence[str], scores: Sequence[float]) -> list[Seen]:
    seen = []
    for box, text, score in zip(boxes, texts, scores, strict=True):
        content = clean(text)
        if content and score >= SUREST:
            across, down = [float(x) for x, _ in box], [float(y) for _, y in box]
            seen.append(Seen(content, min(across), min(down), max(across), max(down)))
    return sorted(seen, key=lambda line: (line.top, line.left))


def _models(part: str) -> list[Path]:
    """The models for one part of the work that came with the package."""
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        return []
    return sorted((Path(spec.origin).parent / "models").glob(f"*_{part}_*.onnx"))


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            # It turns lines upside down that it is not sure of.
            "Global.use_cls": False,
            # With a path it looks for nothing on the network.
            "Det.model_path": str(_models("det")[0]),
            "Rec.model_path": str(_models("rec")[0]),
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
