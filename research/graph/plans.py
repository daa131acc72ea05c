"""Reading plans: what the planner said becomes a plan that can be carried out, or its problems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from research.errors import PlanError
from research.llm.repair import parse_json
from research.models import Language, Notice, Plan, Step, StepType

Read = tuple[Plan | None, list[str], list[Notice]]


def read_plan(
    proposal: str, *, language: Language, max_steps: int, web: bool, tables: Sequence[str]
) -> Read:
    """The plan in a proposal.

    What has one right reading is mended (numbering, names of types, a dependency on nothing, a
    circle) and told; anything else is a problem, worded for the planner that is asked again.

    Args:
        proposal: The planner's answer as it came.
        language: Language of the run.
        max_steps: Steps that may be carried out.
        web: Whether research steps may search the web.
        tables: Ids of the tables of the run.

    Returns:
        The plan or None, the problems, and notices of what was mended.
    """
    try:
        data = parse_json(proposal)
    except ValueError as error:
        return None, [f"not JSON: {error}"], []
    if isinstance(data, list):
        data = {"steps": data}
    if not isinstance(data, Mapping):
        return None, ["not a JSON object with `steps`"], []
    data = {str(key).lower(): value for key, value in data.items()}
    raw = [_lowered(item) for item in data.get("steps") or [] if isinstance(item, Mapping)]
    problems = _problems(raw, max_steps)
    if problems:
        return None, problems, []
    steps, notices = _steps(raw, data.get("dependencies") or [], web=web, tables=tables)
    plan = Plan(
        title=_line(data.get("title")) or steps[0].title,
        thought=str(data.get("thought") or "").strip(),
        steps=steps,
        has_enough_context=data.get("has_enough_context") is True,
        language=language,
    )
    return plan, [], notices


def check_edited(plan: Plan) -> Plan:
    """A plan edited by hand, fit to be carried out: what points nowhere or in a circle is cut.

    Raises:
        PlanError: No step is left, or one has no title.
    """
    if not plan.steps:
        raise PlanError("plans.empty")
    if any(not step.title.strip() for step in plan.steps):
        raise PlanError("plans.untitled")
    steps, _ = _untangled(list(plan.steps))
    return plan.model_copy(update={"steps": steps})


def _lowered(item: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in item.items()}


def _line(value: Any) -> str:
    return re.sub(r"\s+", " ", str(value or "")).strip()[:200]


def _problems(raw: list[dict[str, Any]], max_steps: int) -> list[str]:
    if not raw:
        return ["`steps` is empty: at least one step is needed"]
    if len(raw) > max_steps:
        return [f"{len(raw)} steps, but at most {max_steps} may be carried out: join related ones"]
    return [f"step {number} has no title" for number, item in enumerate(raw, 1) if not _title(item)]


def _title(item: dict[str, Any]) -> str:
    return _line(item.get("title") or item.get("name"))


def _steps(
    raw: list[dict[str, Any]], pairs: Any, *, web: bool, tables: Sequence[str]
) -> tuple[tuple[Step, ...], list[Notice]]:
    names: dict[str, str] = {}
    for number, item in enumerate(raw, 1):
        for name in (item.get("id"), _title(item), number, f"s{number}"):
            names.setdefault(_line(name).lower(), f"s{number}")
    needs = _needs(pairs)
    steps, unknown = [], []
    for number, item in enumerate(raw, 1):
        kind = _type(item)
        wanted = [*_listed(item.get("depends_on")), *needs.get(str(number), [])]
        known = [names[_line(name).lower()] for name in wanted if _line(name).lower() in names]
        unknown += [_line(name) for name in wanted if _line(name).lower() not in names]
        steps.append(
            Step(
                id=f"s{number}",
                title=_title(item),
                description=str(item.get("description") or "").strip(),
                type=kind,
                needs_web=web and kind is StepType.RESEARCH and item.get("needs_web") is not False,
                queries=tuple(filter(None, map(_line, _listed(item.get("queries"))))),
                depends_on=tuple(dict.fromkeys(known)),
                tables=tuple(one for one in _listed(item.get("tables")) if one in tables),
            )
        )
    untangled, cut = _untangled(steps)
    return untangled, [Notice(key="plans.dependency_dropped")] if unknown or cut else []


def _needs(pairs: Any) -> dict[str, list[Any]]:
    needs: dict[str, list[Any]] = {}
    for pair in pairs if isinstance(pairs, list) else []:
        if isinstance(pair, Mapping) and pair.get("step") != pair.get("needs"):
            needs.setdefault(_line(pair.get("step")), []).append(pair.get("needs"))
    return needs


def _listed(value: Any) -> list[Any]:
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _type(item: dict[str, Any]) -> StepType:
    word = str(item.get("type") or item.get("step_type") or "").lower()
    processing = re.search(r"process|code|comput|calcul|analy", word)
    return StepType.PROCESSING if processing else StepType.RESEARCH


def _untangled(steps: list[Step]) -> tuple[tuple[Step, ...], bool]:
    """The steps without dependencies that point nowhere, at themselves or in a circle."""
    ids = {step.id for step in steps}
    kept = {
        step.id: [name for name in step.depends_on if name in ids and name != step.id]
        for step in steps
    }
    cut = any(len(kept[step.id]) != len(step.depends_on) for step in steps)
    while True:
        try:
            TopologicalSorter(kept).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1]
            kept[circle[1]].remove(circle[0])
            cut = True
        else:
            break
    untangled = tuple(
        step.model_copy(update={"depends_on": tuple(kept[step.id])}) for step in steps
    )
    return untangled, cut
