"""Which launches on the host wait for better code? Those that are too long for what is there."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..execution.artifact import KernelCode
from ..execution.kernel_cuts import point_sizes
from .base import Launcher


def waiting_launcher(
    kernel: KernelCode, launcher: Launcher, integers: Sequence[Any] | None = None
) -> Launcher:
    """Return what makes a launch, if it is long, by better code than was made in a hurry.

    Its integers, if they are known, say whether it is. It is called as `launcher` is, which enters
    the better code as soon as that is made.
    """
    better = kernel.better
    if better is None or better.most_work is None:
        return launcher
    sizes = point_sizes(kernel.buffers, kernel.cuts)
    if integers is not None:
        if better.is_awaited_by(kernel.cost * prod([integers[number] for number in sizes])):
            better.get()
        return launcher
    places = [kernel.pointers + number for number in sizes]

    def launch(*given: Any) -> None:
        if better.is_awaited_by(kernel.cost * prod([given[place] for place in places])):
            better.get()
        launcher(*given)

    return launch
