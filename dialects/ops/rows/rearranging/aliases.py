"""Which functions are others under another name, with parameters of their own?"""

from __future__ import annotations

from typing import Any

from ...frame.opspec import composite
from ...frame.row import TensorLanguage


def _cat(t: TensorLanguage, tensors: Any, dim: int) -> Any:
    return t.call("cat", tensors, dim)


for _name in ("concat", "concatenate"):
    composite(
        f"{_name}(Tensor[] tensors, int dim=0)",
        "The tensors one behind the other along a dim: `cat`.",
        f"tri.{_name}([tri.tensor([1]), tri.tensor([2])])  # tensor([1, 2])",
        _cat,
        methods=(),
        has_out=True,
    )


def _constant_pad(t: TensorLanguage, input: Any, pad: tuple[int, ...], value: Any) -> Any:
    return t.call("pad", input, pad, "constant", value)


composite(
    "constant_pad_nd(Tensor input, SymInt[] pad, Scalar value=0)",
    "The tensor with margins of one number: `nn.functional.pad`.",
    "tri.constant_pad_nd(tri.tensor([1, 2]), (1, 0))  # tensor([0, 1, 2])",
    _constant_pad,
    methods=(),
)


def _frobenius(t: TensorLanguage, input: Any, dim: tuple[int, ...], keepdim: bool) -> Any:
    return t.call("linalg_vector_norm", input, 2, dim or None, keepdim)


composite(
    "frobenius_norm(Tensor input, int[] dim, bool keepdim=False)",
    "The roots of the sums of squares over dims.",
    "tri.frobenius_norm(tri.tensor([3., 4.]), (0,))  # tensor(5.)",
    _frobenius,
    methods=(),
    has_out=True,
)


def _product(t: TensorLanguage, input: Any, mat2: Any) -> Any:
    return t.call("mm", input, mat2)


composite(
    "spmm(Tensor input, Tensor mat2)",
    "The product of two matrices: `mm`, as it was called for sparse ones.",
    "tri.spmm(tri.ones(1, 2), tri.ones(2, 1))  # tensor([[2.]])",
    _product,
    methods=(),
    has_out=True,
)
