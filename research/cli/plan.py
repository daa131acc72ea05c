"""Asking about the plan on a terminal."""

from __future__ import annotations

from research.i18n import text
from research.models import Language, Plan, PlanDecision


def ask_about_plan(plan: Plan, language: Language) -> PlanDecision | None:
    """Show what each step is to do, and wait for the user's word.

    Returns:
        The decision, or None when the user would rather leave the run waiting.
    """
    for step in plan.steps:
        print(f"\n{step.id}  {step.title}\n    {step.description}")
    print(text("cli.ask_plan", language))
    while True:
        try:
            answer = input("> ").strip()
        except EOFError:
            return None
        match answer.lower():
            case "y" | "yes" | "是":
                return PlanDecision(action="approve")
            case "q" | "quit" | "退出":
                return None
            case "":
                print(text("cli.ask_plan", language))
            case _:
                return PlanDecision(action="revise", feedback=answer)
