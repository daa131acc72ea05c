"""Several processes share one library: one writes while others read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from research.knowledge.library import Library
from tests.knowledge.test_library import HashEmbedder

ROOT = Path(__file__).parents[2]

READER = """
import sys
from pathlib import Path
from research.knowledge.library import Library
from tests.knowledge.test_library import HashEmbedder

library = Library(Path(sys.argv[1]), HashEmbedder())
print("up", flush=True)
most = 0
while "last.txt" not in {document.name for document in library.documents()}:
    hits = library.search(["copper price"])
    assert hits and all("copper price" in hit.passage.text for hit in hits)
    most = max(most, len(hits))
assert any("very last" in hit.passage.text for hit in library.search(["the very last"]))
print(most, flush=True)
"""


def test_two_processes_read_while_one_writes(tmp_path: Path) -> None:
    library = Library(tmp_path, HashEmbedder())
    library.add("first.txt", b"The copper price of the first day.")
    command = [sys.executable, "-c", READER, str(tmp_path)]
    readers = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "up\n"
    for number in range(12):
        document = library.add(f"{number}.txt", f"The copper price of day {number}.".encode())
        if number % 3 == 2:
            library.remove(document.id)
    library.add("last.txt", b"The very last note on the copper price.")
    for reader in readers:
        said, _ = reader.communicate(timeout=60)
        assert reader.returncode == 0
        assert int(said) >= 1
    library.close()
