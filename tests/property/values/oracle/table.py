"""Which operations does the oracle know? The modules that know some are imported here.

Each of them fills `OPERATIONS`.
"""

from __future__ import annotations

from . import (  # noqa: F401
    activations,  # pyright: ignore[reportUnusedImport]
    arrangements,  # pyright: ignore[reportUnusedImport]
    elementwise,  # pyright: ignore[reportUnusedImport]
    products,  # pyright: ignore[reportUnusedImport]
    reductions,  # pyright: ignore[reportUnusedImport]
    scans,  # pyright: ignore[reportUnusedImport]
    statistics,  # pyright: ignore[reportUnusedImport]
    structure,  # pyright: ignore[reportUnusedImport]
    windows,  # pyright: ignore[reportUnusedImport]
)
from .evaluation import OPERATIONS, apply, evaluate

__all__ = ["OPERATIONS", "apply", "evaluate"]
