"""Load what every process needs while the collector rests: a tenth of an import went to it.

Who imports the package imports this first, for the sake of the rest.
"""

from __future__ import annotations

from importlib import import_module

from ..dialects.collection import collector_at_rest

__all__ = ["compile"]

_OTHERS = (
    *("compiler.eager.early", "runtime.gradients.modes", "runtime.tensors.sparse_making"),
    *("runtime.tensors.interchange", "runtime.tensors.legacy"),
)

with collector_at_rest():
    from .functions.making import compile

    for _name in _OTHERS:
        import_module(f"{__name__.partition('.')[0]}.{_name}")
