"""Types of `trilith.fft`, from the table of operations. By `make stubs`."""

import builtins
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias

import numpy as np

from .dialects.attributes.device import Device as device
from .dialects.attributes.dtype import DType as dtype
from .dialects.attributes.layout import Layout as layout
from .runtime.tensors.tensor import Tensor

class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]

def fft(
    input: _Array,
    n: builtins.int | None = None,
    dim: builtins.int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The discrete Fourier transform along a dim."""

def fft2(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The discrete Fourier transform over two dims."""

def fftfreq(
    n: builtins.int,
    d: builtins.float = 1.0,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """The frequencies of `fft` of n points that are d apart."""

def fftn(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The discrete Fourier transform over dims."""

def fftshift(input: _Array, dim: _Ints | None = None) -> Tensor:
    """The frequencies in order, 0 in the middle."""

def hfft(
    input: _Array,
    n: builtins.int | None = None,
    dim: builtins.int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform of a signal whose spectrum is real, given by its half, along a dim."""

def hfft2(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform over two dims of a signal whose spectrum is real, given by its half."""

def hfftn(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform over dims of a signal whose spectrum is real, given by its half."""

def ifft(
    input: _Array,
    n: builtins.int | None = None,
    dim: builtins.int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the discrete Fourier transform along a dim."""

def ifft2(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the discrete Fourier transform over two dims."""

def ifftn(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the discrete Fourier transform over dims."""

def ifftshift(input: _Array, dim: _Ints | None = None) -> Tensor:
    """What `fftshift` put in order, back in the order of transforms."""

def ihfft(
    input: _Array,
    n: builtins.int | None = None,
    dim: builtins.int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of `hfft` along a dim."""

def ihfft2(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform over two dims to a spectrum that is real."""

def ihfftn(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform over dims to a spectrum that is real."""

def irfft(
    input: _Array,
    n: builtins.int | None = None,
    dim: builtins.int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of `rfft` along a dim, with n points, an even number unless it is said."""

def irfft2(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform of real numbers over two dims."""

def irfftn(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform of real numbers over dims."""

def rfft(
    input: _Array,
    n: builtins.int | None = None,
    dim: builtins.int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The discrete Fourier transform of real numbers along a dim: the half that tells all."""

def rfft2(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The discrete Fourier transform of real numbers over two dims: half of it along the last."""

def rfftfreq(
    n: builtins.int,
    d: builtins.float = 1.0,
    *,
    dtype: dtype | None = None,
    layout: layout | None = None,
    device: _Place | None = None,
    pin_memory: builtins.bool | None = None,
    requires_grad: builtins.bool | None = False,
    out: Tensor | None = None,
) -> Tensor:
    """The frequencies of `rfft` of n points that are d apart."""

def rfftn(
    input: _Array,
    s: _Ints | None = None,
    dim: _Ints | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The discrete Fourier transform of real numbers over dims: half of it along the last."""
