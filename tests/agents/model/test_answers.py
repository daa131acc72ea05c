"""What models put around their answers goes."""

from __future__ import annotations

import pytest

from research.agents.model.answers import body_only, code_in


@pytest.mark.parametrize(
    "answer",
    [
        "```python\nprint(1)\n```",
        "Here it is:\n```py\nprint(1)\n```\nIt prints one.",
        "print(1)",
        "```\nprint(1)",
    ],
)
def test_code_is_found_whatever_stands_around_it(answer: str) -> None:
    assert code_in(answer) == "print(1)\n"


def test_the_longest_block_is_the_program() -> None:
    assert (
        code_in("```\nx\n```\nthen\n```python\nprint(1)\nprint(2)\n```") == "print(1)\nprint(2)\n"
    )


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("# Costs\n\nThey fell [1].", "They fell [1]."),
        ("### Costs\n\nThey fell.", "They fell."),
        ("They fell.\n\n## More\n\nAnd so on.", "They fell.\n\n### More\n\nAnd so on."),
        ("They fell.\n\n## References\n- [1] a\n- [2] b", "They fell."),
        ("下降了。\n\n### 参考文献\n1. 甲", "下降了。"),
        (
            "They fell.\n\n### Sources of growth\n\nMany.",
            "They fell.\n\n### Sources of growth\n\nMany.",
        ),
    ],
)
def test_a_section_keeps_its_body_only(written: str, kept: str) -> None:
    assert body_only(written, "Costs") == kept
