"""What helps beside tensors? By the names of `torch.utils`."""

from . import checkpoint, dlpack

__all__ = ["checkpoint", "dlpack"]
