"""torch posing as trilith: as `--library` every comparison must pass, which tests the harness."""

from collections.abc import Callable
from typing import Any

import torch


def compile(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def __getattr__(name: str) -> Any:
    return getattr(torch, name) if hasattr(torch, name) else getattr(torch.nn.functional, name)
