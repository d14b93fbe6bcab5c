"""Load what every process needs, while the collector rests: a tenth of an import goes to it."""

from __future__ import annotations

from importlib import import_module

from ..dialects.collection import collector_at_rest

_NEEDED = (
    *("compiler.functions.making", "compiler.eager.early", "runtime.tensors.sparse_making"),
    *("runtime.tensors.interchange", "runtime.tensors.legacy", "runtime.gradients.modes"),
)

with collector_at_rest():
    for _name in _NEEDED:
        import_module(f"{__name__.partition('.')[0]}.{_name}")
