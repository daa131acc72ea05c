"""What hostile code leaves in ``out/``: all of it by one job behind each backend.

A new probe is one more entry: its name, the code that writes it, and what must become of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

REMOTE = "remote.example"
URL = f"https://{REMOTE}/?d=secret"

PRELUDE = """
import json, os, sys
import numpy as np
import pandas as pd
from pathlib import Path

PNG = b"\\x89PNG\\r\\n\\x1a\\n" + bytes(64)

def put(name, content):
    with open(b"out/" + name.encode("utf-8", "surrogateescape"), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
"""


@dataclass(frozen=True)
class Leaving:
    """One thing that is left, and what becomes of it."""

    name: str
    code: str
    told: str = ""
    """Key of the notice of a file that is refused."""
    kept: str = ""
    """Name of the artefact that it becomes all the same."""
    without: str = REMOTE
    """What must not be in that artefact."""


def _figure(name: str, stem: str, trace: dict[str, Any], **layout: Any) -> Leaving:
    figure = {"data": [{"type": "bar", "x": ["a"], "y": [1], **trace}], "layout": layout}
    return Leaving(name, f"put({stem + '.json'!r}, {json.dumps(figure)!r})", kept=stem)


def _refused(name: str, file: str, told: str, content: str = "'a\\n1\\n'") -> Leaving:
    return Leaving(name, f"put({file!r}, {content})", told=f"sandbox.refused_{told}")


LEAVINGS = (
    Leaving("directory named like a result", "os.mkdir('out/folder.csv')", "sandbox.refused_link"),
    _refused("fake PNG", "picture.png", "name", "PNG"),
    _refused("PNG named .json", "picture.json", "figure", "PNG"),
    _refused("PNG named .csv", "picture.csv", "table", "PNG"),
    _refused("HTML", "page.html", "name", "'<script>1</script>'"),
    _refused("pickle", "frame.pkl", "name", "b'cos\\nsystem\\n.'"),
    _refused("a result that is too large", "large.csv", "size", "'a\\n' + '1\\n' * 600_000"),
    _refused("very long file name", "n" * 250 + ".csv", "name"),
    _refused("file name with a line break", "a\nb.csv", "name"),
    _refused("file name that turns text around", "a\u202evsc.csv", "name"),
    _refused("file name that is no text", "\udcff\udcfe.csv", "name"),
    _refused("file name that hides", ".hidden.csv", "name"),
    _refused("file name with a query", "remote.example?d=secret.csv", "name"),
    Leaving("file name in Chinese", "put('各地区收入.csv', 'a\\n1\\n')", kept="各地区收入"),
    _refused("deep nesting in JSON", "deep.json", "figure", "'{\"data\": [' + '[' * 100_000"),
    _refused("deep nesting that closes", "closed.json", "figure",
             "'{\"data\": [{\"x\": ' + '[' * 500 + ']' * 500 + '}]}'"),
    _refused("a number of a million digits", "digits.json", "figure",
             "'{\"data\": [{\"y\": ' + '9' * 1_000_000 + '}]}'"),
    Leaving("NaN and Infinity in JSON",
            "put('gaps.json', '{\"data\": [{\"y\": [NaN, Infinity, -Infinity, 1e999, 1]}]}')",
            kept="gaps", without="Infinity"),
    _figure("Plotly: remote image", "p1", {}, images=[{"source": URL}]),
    _figure("Plotly: remote map style", "p2", {}, mapbox={"style": URL}, map={"style": URL}),
    _figure("Plotly: remote map layer", "p3", {}, map={"layers": [{"source": URL}]}),
    _figure("Plotly: remote template", "p4", {}, template={"layout": {"images": [{"source": URL}]},
            "data": {"image": [{"source": URL}]}}),
    _figure("Plotly: remote geojson", "p5", {"geojson": URL}),
    _figure("Plotly: link", "p6", {"text": [f"<a href='{URL}'>x</a>"]}),
    _figure("Plotly: link in a hover template", "p7",
            {"hovertemplate": f"<a href='{URL}'>%{{x}}</a><extra></extra>"}),
    _figure("Plotly: style in a text", "p8", {"text": [f"<span style='fill:url({URL})'>x</span>"]}),
    _figure("Plotly: a button that sets an image", "p9", {},
            updatemenus=[{"buttons": [{"args": ["images[0].source", URL], "method": "relayout"}]}]),
    _figure("Plotly: a key that means another", "p10", {"marker_images": [{"source": URL}]},
            template_layout_images=[{"source": URL}], **{"images[0].source": URL,
            "mapbox.style": URL, "map_style": URL}),
    _figure("Plotly: animation", "p11", {}, sliders=[{"steps": [{"args": [[URL]]}]}]),
)  # fmt: skip


def program(leavings: tuple[Leaving, ...]) -> str:
    """The code that leaves them, and that says what it found in the place of its libraries."""
    return PRELUDE + "\n".join(one.code for one in leavings) + _IMPORTED


_IMPORTED = """
print(json.dumps({
    "genuine": all("site-packages" in one.__file__ for one in (pd, np)), "path": sys.path,
    "planted": os.environ.get("PLANTED", "") + str([n for n in sys.modules
        if hasattr(sys.modules[n], "PLANTED")]),
    "here": sorted(os.listdir(".")),
}))
"""
