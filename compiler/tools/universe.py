"""Which of our dialects, passes and targets does xDSL find? All, each loaded when asked for.

The entry point `xdsl.universe` names `TRILITH_UNIVERSE`, so that plain `xdsl-opt` knows them too:

    xdsl-opt -p tri-promote-types,canonicalize,cse FILE
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.ir import Dialect
from xdsl.universe import Universe
from xdsl.utils.target import Target

from ..pipeline import PASSES, pass_class
from ..targets.table import levels

#: The names that are ours; every universe must keep its names apart from those of the others.
PREFIXES = ("tri-", "kernel-")


def _tri() -> Dialect:
    from ...dialects.tri.dialect import make_dialect

    return make_dialect()


def _kernel() -> Dialect:
    from ...dialects.kernel.dialect import KERNEL_DIALECT

    return KERNEL_DIALECT


DIALECTS: dict[str, Callable[[], Dialect]] = {"tri": _tri, "kernel": _kernel}


def kernel_texts() -> dict[str, Callable[[], type[Target]]]:
    """Return what kernels can be printed as; targets may be added while a program runs."""
    return {f"tri-{name}": level.text for name, (_, level) in levels().items()}


TRILITH_UNIVERSE = Universe(
    all_dialects=DIALECTS,
    all_passes={name: partial(pass_class, name) for name in PASSES if name.startswith(PREFIXES)},
    all_targets=kernel_texts(),
)
