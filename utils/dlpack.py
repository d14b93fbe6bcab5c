"""How do tensors come from other libraries, and go there? By the names of `torch.utils.dlpack`."""

from ..runtime.tensors.interchange import from_dlpack
from ..runtime.tensors.method_functions import to_dlpack

__all__ = ["from_dlpack", "to_dlpack"]
