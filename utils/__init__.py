"""What helps beside tensors? By the names of `torch.utils`."""

from typing import Any as _Any

from . import checkpoint, dlpack

__all__ = ["checkpoint", "dlpack"]


def __getattr__(name: str) -> _Any:
    """Say what there is instead."""
    from ..runtime.tensors.missing import missing_helper

    raise missing_helper(name)
