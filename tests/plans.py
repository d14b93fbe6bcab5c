"""How does a test begin without plans? Those that others have made come back: they took time."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from trilith.compiler.eager import operations as eager
from trilith.compiler.plan_table import PlanTable


@contextmanager
def no_plans() -> Generator[None]:
    """Forget every plan of operations; at the end forget what was made meanwhile instead."""
    dicts = [found for table in _tables() for found in _dicts_of(table)]
    kept = [found.copy() for found in dicts]
    eager.forget_plans()
    try:
        yield
    finally:
        eager.forget_plans()
        for found, content in zip(dicts, kept, strict=True):
            found.update(content)


def _tables() -> list[PlanTable[Any, Any]]:
    plans, joins, shortcuts = vars(eager.OPEN), vars(eager.JOINS), vars(eager)["_plans"]
    return [shortcuts, plans["_plans"], plans["_made"], joins["_known"]]


def _dicts_of(table: PlanTable[Any, Any]) -> list[dict[Any, Any]]:
    """Return what a table consists of: plans by key, what runs them, and the keys of that."""
    return [vars(table)[name] for name in ("_plans", "shortcuts", "_short_keys")]
