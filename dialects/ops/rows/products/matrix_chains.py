"""Which products are of many matrices? Chains, in the cheapest order, powers, and kron."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import DType, bool_
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_once
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import TensorLanguage
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of, with_tensors


def _refusal(text: str) -> TrilithRuntimeError:
    return TrilithRuntimeError(f"multi_dot(): {text}")


def _check_chain(specs: Sequence[TensorSpec]) -> None:
    """Refuse what is no chain: vectors may stand at its ends."""
    count = len(specs)
    if count < 2:
        raise _refusal(f"expected at least 2 tensors but got {count}")
    for place, which in ((0, "first"), (-1, "last")):
        if specs[place].rank not in (1, 2):
            raise _refusal(f"the {which} tensor must be 1D or 2D but got {specs[place].rank}D")
    for number in range(1, count - 1):
        if specs[number].rank != 2:
            raise _refusal(f"tensor {number} must be 2D but got {specs[number].rank}D")
    for number in range(1, count):
        if specs[number].dtype is not specs[0].dtype:
            raise _refusal(
                "all tensors must have be the same dtype but tensor 0 is "
                f"{c_type(specs[0].dtype)} and tensor {number} {c_type(specs[number].dtype)}"
            )
    for number in range(count - 1):
        left, right = specs[number].shape, specs[number + 1].shape
        if left[-1] != right[0]:
            raise _refusal(
                f"tensors {number} and {number + 1} with shapes {list(left)} and {list(right)} "
                "cannot be multiplied"
            )


def _multi_dot(t: TensorLanguage, tensors: Sequence[Any]) -> Any:
    specs = [tensor_of(t, tensor) for tensor in tensors]
    _check_chain(specs)
    if len(tensors) == 2:
        return t.call("matmul", *tensors)
    first, last = specs[0], specs[-1]
    chain = list(tensors)
    if first.rank == 1:
        chain[0] = t.call("unsqueeze", chain[0], 0)
    if last.rank == 1:
        chain[-1] = t.call("unsqueeze", chain[-1], 1)
    shape = first.shape[:-1] + last.shape[1:]
    sizes = [tensor_of(t, matrix).shape[0] for matrix in chain]
    sizes.append(tensor_of(t, chain[-1]).shape[1])
    return t.call("view", _multiplied(t, chain, _splits(sizes), 0, len(chain) - 1), shape)


def _splits(sizes: Sequence[int]) -> Mapping[tuple[int, int], int]:
    """Return where to split each part of a chain of matrices for the fewest multiplications.

    Matrix i is of `sizes[i]` x `sizes[i + 1]`; of equal costs the first split wins.

    >>> _splits([10, 100, 5, 50])[0, 2]
    1
    """
    count = len(sizes) - 1
    costs = {(place, place): 0 for place in range(count)}
    found: dict[tuple[int, int], int] = {}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            costs[first, last], found[first, last] = min(
                (
                    costs[first, split]
                    + costs[split + 1, last]
                    + sizes[first] * sizes[split + 1] * sizes[last + 1],
                    split,
                )
                for split in range(first, last)
            )
    return found


def _multiplied(
    t: TensorLanguage,
    chain: Sequence[Any],
    splits: Mapping[tuple[int, int], int],
    first: int,
    last: int,
) -> Any:
    if first == last:
        return chain[first]
    split = splits[first, last]
    return t.call(
        "mm",
        _multiplied(t, chain, splits, first, split),
        _multiplied(t, chain, splits, split + 1, last),
    )


def _multi_dot_out(result: DType, out: DType) -> None:
    """Refuse another dtype as multi_dot does."""
    if out is not result:
        raise _refusal(f"expected out tensor to have dtype {c_type(result)} but got {c_type(out)}")


def _chain_matmul(t: TensorLanguage, matrices: Sequence[Any]) -> Any:
    warn_once(
        "trilith.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
        "trilith.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
        "multiple parameters."
    )
    if not matrices:
        raise TrilithRuntimeError("chain_matmul(): Expected one or more matrices")
    for matrix in matrices:
        rank = tensor_of(t, matrix).rank
        if rank != 2:
            raise TrilithRuntimeError(f"Tensor dimension is {rank}, expected 2 instead.")
    if len(matrices) == 1:
        return t.call("clone", matrices[0])
    return t.call("linalg_multi_dot", list(matrices))


def _bind_chain(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Take the matrices as separate arguments."""
    return with_tensors(schema, arguments, keywords)


def check_square(name: str, spec: TensorSpec) -> None:
    """Refuse what are no square matrices, in the words of PyTorch's linear algebra."""
    if spec.rank < 2:
        raise TrilithRuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    rows, columns = spec.shape[-2:]
    if rows != columns:
        raise TrilithRuntimeError(
            f"{name}: A must be batches of square matrices, but they are {rows} by {columns} "
            "matrices"
        )


def _matrix_power(t: TensorLanguage, input: Any, n: int) -> Any:
    spec = tensor_of(t, input)
    check_square("linalg.matrix_power", spec)
    if not n:
        one = t.call("eye", spec.shape[-1], dtype=spec.dtype, device=spec.device)
        one = t.call("expand", one, spec.shape)
        # It is a result of the operand, whose gradient is 0: PyTorch copies into memory like it.
        always = t.call("ones", (), dtype=bool_, device=spec.device)
        chosen = t.call("where", always, one, input)
        return t.call("clone", chosen, memory_format=contiguous_format)
    if n < 0:
        input, n = t.call("linalg_inv", input), -n
        if n == 1:
            return input
    if n == 1:
        return t.call("clone", input, memory_format=contiguous_format)
    if n == 3:
        return t.call("matmul", t.call("matmul", input, input), input)
    result, square = None, input
    while n:
        if n & 1:
            result = square if result is None else t.call("matmul", result, square)
        n >>= 1
        if n:
            square = t.call("matmul", square, square)
    return result


def _kron(t: TensorLanguage, input: Any, other: Any) -> Any:
    """Multiply with the dims in turn: those of the first, each before one of the second."""
    shapes = [tensor_of(t, value).shape for value in (input, other)]
    rank = max(map(len, shapes))
    first, second = ((1,) * (rank - len(shape)) + shape for shape in shapes)
    left = t.call("reshape", input, tuple([size for pair in first for size in (pair, 1)]))
    right = t.call("reshape", other, tuple([size for pair in second for size in (1, pair)]))
    sizes = tuple([a * b for a, b in zip(first, second, strict=True)])
    return t.call("reshape", t.call("mul", left, right), sizes)


def _linalg_diagonal(t: TensorLanguage, A: Any, offset: int, dim1: int, dim2: int) -> Any:
    return t.call("diagonal", A, offset, dim1, dim2)


composite(
    "linalg_multi_dot(Tensor[] tensors)",
    "The product of a chain of matrices, in the order that takes the fewest multiplications.",
    "tri.linalg.multi_dot([tri.ones(1, 2), tri.ones(2, 3), tri.ones(3)])  # tensor([6.])",
    _multi_dot,
    methods=(),
    is_public=False,
    places=("linalg.multi_dot",),
    has_out=True,
    refuse_out=_multi_dot_out,
)
composite(
    "chain_matmul(Tensor[] matrices)",
    "The product of a chain of matrices: linalg.multi_dot by an older name.",
    "tri.linalg.multi_dot([tri.ones(1, 2), tri.ones(2, 1)])  # tensor([[2.]])",
    _chain_matmul,
    methods=(),
    binder=_bind_chain,
    forms=("chain_matmul(Tensor[]* matrices)",),
    has_out=True,
    refuse_out=_multi_dot_out,
)
composite(
    "matrix_power(Tensor input, int n)",
    "Square matrices multiplied by themselves n times; of a negative n, their inverses.",
    "tri.matrix_power(tri.tensor([[1., 1.], [0., 1.]]), 5)  # tensor([[1., 5.],\n"
    "#         [0., 1.]])",
    _matrix_power,
    places=("linalg.matrix_power",),
    has_out=True,
    refuse_out=out_tensor_dtype,
)
composite(
    "kron(Tensor input, Tensor other)",
    "The Kronecker product: each element of the first tensor times the whole second one.",
    "tri.kron(tri.tensor([1, 2]), tri.tensor([1, 10]))  # tensor([ 1, 10,  2, 20])",
    _kron,
    has_out=True,
)
composite(
    "linalg_diagonal(Tensor A, *, SymInt offset=0, int dim1=-2, int dim2=-1)",
    "The diagonal of matrices as a view, without a copy.",
    "tri.linalg.diagonal(tri.tensor([[1, 2], [3, 4]]))  # tensor([1, 4])",
    _linalg_diagonal,
    methods=(),
    is_public=False,
    places=("linalg.diagonal",),
)
