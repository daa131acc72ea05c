"""The plan editor: one form; every button in it first reads all its fields back.

The plan as edited so far is the draft. It lives as long as the session; what the engine waits
for is in its store, so that a reload shows the plan as it was proposed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from pages.parts.words import plain, say, told
from research.errors import DossierError, PlanError
from research.models import Notice, Plan, PlanDecision, Step, StepType
from research.runs import get_service
from research.runs.view import RunView

ICONS = {StepType.RESEARCH: ":material/search:", StepType.PROCESSING: ":material/calculate:"}
STATE = "plan-draft"


@dataclass(frozen=True)
class Draft:
    """The steps of one revision of a plan as the user has them now."""

    run_id: str
    revision: int
    steps: tuple[Step, ...]
    added: int = 0
    opened: str = ""
    """The step that stands open because it was just added or moved."""
    trouble: Notice | None = None

    def field(self, step: Step, name: str) -> str:
        """The key of one field of one step."""
        return f"plan-{self.run_id}-{self.revision}-{step.id}-{name}"

    @property
    def feedback(self) -> str:
        """The key of the free text."""
        return f"plan-{self.run_id}-{self.revision}-feedback"


def editor(run_id: str, view: RunView) -> None:
    """Show the plan that waits for the user's word, and take that word."""
    assert view.plan
    draft = _draft(run_id, view)
    own_title = view.plan.title not in ("", view.question)
    st.header(plain(view.plan.title) if own_title else say("plan.title"), anchor=False)
    if view.plan.thought:
        st.markdown(plain(view.plan.thought))
    st.caption(say("plan.intro"))
    if draft.trouble:
        st.error(told(draft.trouble), icon=":material/error:")
    with st.form(f"plan-{run_id}-{draft.revision}", border=False, enter_to_submit=False):
        for number, step in enumerate(draft.steps, 1):
            _step(draft, step, number, web=bool(view.search))
        with st.container(horizontal=True):
            st.form_submit_button(
                say("plan.add"), icon=":material/add:", key="plan-add", on_click=_add, args=(view,)
            )
        st.text_area(
            say("plan.feedback"),
            key=draft.feedback,
            placeholder=say("plan.feedback_placeholder"),
            height=80,
        )
        with st.container(horizontal=True):
            st.form_submit_button(
                say("plan.approve"),
                type="primary",
                icon=":material/play_arrow:",
                key="plan-approve",
                on_click=_approve,
                args=(view,),
            )
            st.form_submit_button(
                say("plan.revise"),
                icon=":material/edit_note:",
                key="plan-revise",
                on_click=_revise,
                args=(view,),
            )


def _draft(run_id: str, view: RunView) -> Draft:
    draft = st.session_state.get(STATE)
    if not draft or (draft.run_id, draft.revision) != (run_id, view.revision):
        assert view.plan
        draft = Draft(run_id, view.revision, view.plan.steps)
        st.session_state[STATE] = draft
    return draft


def _step(draft: Draft, step: Step, number: int, *, web: bool) -> None:
    others = {each.id: each.title for each in draft.steps if each.id != step.id}
    label = f"**{number}. {plain(step.title) or say('plan.untitled')}**"
    with st.expander(
        label,
        icon=ICONS[step.type],
        expanded=step.id == draft.opened,
        key=draft.field(step, "card"),
    ):
        st.text_input(say("plan.step_title"), key=_filled(draft, step, "title"))
        st.text_area(
            say("plan.description"),
            key=_filled(draft, step, "description"),
            height=100,
        )
        st.radio(
            say("plan.type"),
            list(StepType),
            format_func=lambda kind: say(f"step_type.{kind}"),
            horizontal=True,
            key=_filled(draft, step, "type"),
        )
        if web:
            st.toggle(say("plan.needs_web"), key=_filled(draft, step, "needs_web"))
        if others:
            st.multiselect(
                say("plan.depends_on"),
                list(others),
                format_func=lambda each: others.get(each) or say("plan.untitled"),
                placeholder=say("plan.depends_on_none"),
                key=_filled(draft, step, "depends_on"),
            )
        with st.container(horizontal=True):
            _action("up", ":material/arrow_upward:", draft, step, disabled=number == 1)
            _action(
                "down",
                ":material/arrow_downward:",
                draft,
                step,
                disabled=number == len(draft.steps),
            )
            _action("remove", ":material/delete:", draft, step, disabled=len(draft.steps) == 1)


def _filled(draft: Draft, step: Step, name: str) -> str:
    """The key of a field that holds what the draft has for it."""
    key = draft.field(step, name)
    if key not in st.session_state:
        value = getattr(step, name)
        st.session_state[key] = list(value) if isinstance(value, tuple) else value
    return key


def _action(name: str, icon: str, draft: Draft, step: Step, *, disabled: bool) -> None:
    st.form_submit_button(
        say(f"plan.{name}"),
        icon=icon,
        key=draft.field(step, name),
        disabled=disabled,
        on_click={"up": _up, "down": _down, "remove": _remove}[name],
        args=(step.id,),
    )


# ---------------------------------------------------------------- what the buttons do


def _read_back() -> Draft:
    """The draft with what stands in the fields now."""
    draft: Draft = st.session_state[STATE]
    steps = tuple(_read_step(draft, step) for step in draft.steps)
    return replace(draft, steps=steps, opened="", trouble=None)


def _read_step(draft: Draft, step: Step) -> Step:
    def field(name: str, default: object) -> object:
        return st.session_state.get(draft.field(step, name), default)

    changed = step.model_copy(
        update={
            "title": str(field("title", step.title)).strip(),
            "description": str(field("description", step.description)).strip(),
            "type": StepType(str(field("type", step.type))),
            "needs_web": bool(field("needs_web", step.needs_web)),
            "depends_on": tuple(field("depends_on", step.depends_on)),  # type: ignore[arg-type]
        }
    )
    if (changed.title, changed.description) != (step.title, step.description):
        # The planner's searches belong to its own words; the user's words take their place.
        changed = changed.model_copy(update={"queries": ()})
    return changed


def _keep(draft: Draft) -> None:
    st.session_state[STATE] = draft


def _add(view: RunView) -> None:
    draft = _read_back()
    added = draft.added + 1
    step = Step(id=f"added-{added}", title="", needs_web=bool(view.search))
    _keep(replace(draft, steps=(*draft.steps, step), added=added, opened=step.id))


def _remove(step_id: str) -> None:
    draft = _read_back()
    steps = []
    for step in draft.steps:
        if step.id != step_id:
            kept = tuple(each for each in step.depends_on if each != step_id)
            steps.append(step.model_copy(update={"depends_on": kept}))
            st.session_state[draft.field(step, "depends_on")] = list(kept)
    _keep(replace(draft, steps=tuple(steps)))


def _up(step_id: str) -> None:
    _move(step_id, -1)


def _down(step_id: str) -> None:
    _move(step_id, 1)


def _move(step_id: str, by: int) -> None:
    draft = _read_back()
    steps = list(draft.steps)
    at = next(place for place, step in enumerate(steps) if step.id == step_id)
    steps.insert(at + by, steps.pop(at))
    _keep(replace(draft, steps=tuple(steps)))


def _approve(view: RunView) -> None:
    draft = _read_back()
    untitled = next((step for step in draft.steps if not step.title), None)
    if untitled:
        trouble = PlanError("pages.plan.needs_title").notice
        _keep(replace(draft, opened=untitled.id, trouble=trouble))
    else:
        _decide(draft, PlanDecision(action="approve", plan=_edited(draft, view)))


def _revise(view: RunView) -> None:
    draft = _read_back()
    feedback = st.session_state[draft.feedback].strip()
    if not feedback:
        _keep(replace(draft, trouble=PlanError("pages.plan.needs_feedback").notice))
    else:
        decision = PlanDecision(action="revise", plan=_edited(draft, view), feedback=feedback)
        _decide(draft, decision)


def _edited(draft: Draft, view: RunView) -> Plan | None:
    """The plan as the user has it, or None where it is the planner's own."""
    assert view.plan
    if draft.steps == view.plan.steps:
        return None
    return view.plan.model_copy(update={"steps": draft.steps})


def _decide(draft: Draft, decision: PlanDecision) -> None:
    try:
        get_service().decide(draft.run_id, decision)
    except DossierError as error:
        _keep(replace(draft, trouble=error.notice))
    else:
        _keep(draft)
        st.session_state["decided"] = (draft.run_id, draft.revision)
