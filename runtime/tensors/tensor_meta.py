"""How does the class of tensors know methods that are not loaded? It loads them when asked.

The operations come with the compiler, which importing trilith does not import. Operators stand in
for themselves (`dispatch`); a name that the class lacks, and every listing of its names, loads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import dispatch
from .missing import missing_member


class TensorMeta(type):
    """The type of `Tensor`: `Tensor.sum` and `dir(Tensor)` are right before anything has run."""

    if not TYPE_CHECKING:  # a checker is told every name by the stub

        def __getattr__(cls, name: str) -> Any:
            """Load the operations when a method is missed for the first time."""
            if not name.startswith("_") and dispatch.installed(name) is not None:
                return type.__getattribute__(cls, name)
            raise missing_member(name, f"type object '{cls.__name__}'")

    def __dir__(cls) -> list[str]:
        """Return every name, for completion and `help`."""
        dispatch.load()
        return sorted(type.__dir__(cls))
