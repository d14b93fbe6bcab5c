"""What does a program set of CUDA's libraries, which are not there? As in `torch.backends.cuda`."""

from __future__ import annotations

from typing import Any

from ..dialects.diagnostics import TrilithAttributeError, TrilithRuntimeError
from ..runtime.tensors.determinism import (
    get_float32_matmul_precision,
    set_float32_matmul_precision,
)
from ..runtime.tensors.flags import flag, narrow_sums

__all__ = [
    "cudnn_sdp_enabled",
    "enable_cudnn_sdp",
    "enable_flash_sdp",
    "enable_math_sdp",
    "enable_mem_efficient_sdp",
    "flash_sdp_enabled",
    "is_built",
    "math_sdp_enabled",
    "matmul",
    "mem_efficient_sdp_enabled",
]


class _Products:
    """The flags of matrix products."""

    allow_fp16_accumulation = flag(
        "allow_fp16_accumulation", "set_allow_fp16_accumulation_cublas", False
    )
    allow_fp16_reduced_precision_reduction = narrow_sums("allow_fp16_reduced_precision_reduction")
    allow_bf16_reduced_precision_reduction = narrow_sums("allow_bf16_reduced_precision_reduction")

    @property
    def allow_tf32(self) -> bool:
        """Whether the program allowed fewer digits: `set_float32_matmul_precision` asks, too."""
        return get_float32_matmul_precision() != "highest"

    @allow_tf32.setter
    def allow_tf32(self, value: Any) -> None:
        if type(value) is not bool:
            raise TrilithRuntimeError(
                f"set_allow_tf32_cublas expects a bool, but got {type(value).__name__}"
            )
        set_float32_matmul_precision("high" if value else "highest")

    def __getattr__(self, name: str) -> Any:
        """Refuse what is no flag."""
        raise TrilithAttributeError(f"Unknown attribute {name}", name=name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse what is no flag."""
        if name not in vars(_Products):
            raise TrilithAttributeError(f"Unknown attribute {name}", name=name)
        super().__setattr__(name, value)


#: What a program sets of matrix products.
matmul = _Products()
_is_on = dict.fromkeys(("flash", "mem_efficient", "math", "cudnn"), True)


def is_built() -> bool:
    """Tell that nothing was built for CUDA.

    >>> is_built()
    False
    """
    return False


def flash_sdp_enabled() -> bool:
    """Tell whether a program turned FlashAttention off, which is not there."""
    return _is_on["flash"]


def mem_efficient_sdp_enabled() -> bool:
    """Tell whether a program turned attention with less memory off, which is not there."""
    return _is_on["mem_efficient"]


def math_sdp_enabled() -> bool:
    """Tell whether a program turned attention by its formula off, which stays."""
    return _is_on["math"]


def cudnn_sdp_enabled() -> bool:
    """Tell whether a program turned the attention of cuDNN off, which is not there."""
    return _is_on["cudnn"]


def enable_flash_sdp(enabled: bool) -> None:
    """Keep what a program wants of FlashAttention."""
    _is_on["flash"] = bool(enabled)


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Keep what a program wants of attention with less memory."""
    _is_on["mem_efficient"] = bool(enabled)


def enable_math_sdp(enabled: bool) -> None:
    """Keep what a program wants of attention by its formula."""
    _is_on["math"] = bool(enabled)


def enable_cudnn_sdp(enabled: bool) -> None:
    """Keep what a program wants of the attention of cuDNN."""
    _is_on["cudnn"] = bool(enabled)
