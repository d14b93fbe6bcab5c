"""Which operations turn classes into rows? embedding looks them up, one_hot marks one of each."""

from __future__ import annotations

from math import inf
from typing import Any

from ....attributes.c_types import tensor_type
from ....attributes.dtype import int32, int64
from ....diagnostics import TrilithAssertionError, TrilithRuntimeError
from ...frame.indexed import HostOp, ValueLanguage, WritingLanguage
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import compute_dtype
from ...frame.view_rows import tensor_of
from ...gradients.embeddings import OF_EMBEDDING
from .softmax import cast_to, in_format


def _embedding(
    t: TensorLanguage,
    weight: Any,
    indices: Any,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    rows, classes = tensor_of(t, weight), tensor_of(t, indices)
    if rows.rank != 2:
        raise TrilithRuntimeError("'weight' must be 2-D")
    if classes.dtype not in (int32, int64):
        raise TrilithRuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {tensor_type(classes.dtype)} instead "
            "(while checking arguments for embedding)"
        )
    found = t.call("index_select", weight, 0, t.call("reshape", indices, (-1,)))
    return t.call("reshape", found, (*classes.shape, rows.shape[1]))


def renormed(t: TensorLanguage, weight: Any, input: Any, max_norm: float, norm_type: float) -> Any:
    """Return a table of rows in which those that are looked up are no longer than a norm."""
    dtype = tensor_of(t, weight).dtype
    wide = compute_dtype(dtype)
    weight = cast_to(t, weight, wide)
    # PyTorch rounds a norm, and what it multiplies by, to the dtype of the table.
    lengths = cast_to(t, cast_to(t, _lengths(t, weight, norm_type), dtype), wide)
    flat = cast_to(t, t.call("reshape", input, (-1,)), int64)
    marks = t.call("index_fill", t.call("zeros_like", lengths), 0, flat, 1.0)
    is_long = t.call("logical_and", t.call("gt", lengths, max_norm), t.call("ne", marks, 0))
    scale = t.call("true_divide", max_norm, t.call("add", lengths, 1e-7))
    scale = cast_to(t, cast_to(t, scale, dtype), wide)
    return cast_to(t, t.call("where", is_long, t.call("mul", weight, scale), weight), dtype)


def _lengths(t: TensorLanguage, weight: Any, norm_type: float) -> Any:
    """Return the norms of rows."""
    if norm_type == 2.0:
        return t.call("sqrt", t.call("sum", t.call("mul", weight, weight), (1,), True))
    sizes = t.call("abs", weight)
    if norm_type == inf:
        return t.call("amax", sizes, (1,), True)
    total = t.call("sum", t.call("pow", sizes, norm_type), (1,), True)
    return t.call("pow", total, 1 / norm_type)


def _functional_embedding(
    t: WritingLanguage,
    input: Any,
    weight: Any,
    padding_idx: int | None,
    max_norm: float | None,
    norm_type: float,
    scale_grad_by_freq: bool,
    sparse: bool,
) -> Any:
    if padding_idx is not None:
        count = tensor_of(t, weight).shape[0]
        if not -count <= padding_idx < count:
            raise TrilithAssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= count
    if max_norm is not None:
        t.store(weight, renormed(t, weight, input, max_norm, norm_type))
    row = -1 if padding_idx is None else padding_idx
    return t.call("embedding", weight, input, row, scale_grad_by_freq, sparse)


composite(
    "embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, "
    "bool sparse=False)",
    "The rows of a table at indices.",
    "tri.embedding(tri.tensor([[1., 2.], [3., 4.]]), tri.tensor([1]))  # tensor([[3., 4.]])",
    _embedding,
    methods=(),
    gradient=OF_EMBEDDING,
)
TABLE.add(
    HostOp(
        "nn_functional_embedding(Tensor input, Tensor weight, int? padding_idx=None, "
        "float? max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, "
        "bool sparse=False)",
        "The rows of a table at indices; with max_norm, longer ones are first made shorter there.",
        "tri.nn.functional.embedding(tri.tensor([1]), tri.tensor([[1., 2.], [3., 4.]]))"
        "  # tensor([[3., 4.]])",
        _functional_embedding,
        methods=(),
        is_public=False,
        places=("nn.functional.embedding",),
    )
)


def _one_hot(t: ValueLanguage, input: Any, num_classes: int) -> Any:
    spec = tensor_of(t, input)
    if spec.dtype is not int64:
        raise TrilithRuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not spec.numel:
        if num_classes <= 0:
            raise TrilithRuntimeError("Can not infer total number of classes from empty tensor.")
    else:
        num_classes = _checked_classes(t, input, num_classes)
    classes = t.call("arange", num_classes, device=spec.device)
    return in_format(t, cast_to(t, t.call("eq", t.call("unsqueeze", input, -1), classes), int64))


def _checked_classes(t: ValueLanguage, input: Any, num_classes: int) -> int:
    """Return how many classes there are; what is known while a function is traced is no element."""
    least, most = (t.number(t.call(name, input)) for name in ("amin", "amax"))
    if least is None or most is None:
        if num_classes < 0:
            t.positions(input, "say how many classes there are: one_hot(x, num_classes=10)")
        return num_classes
    if least < 0:
        raise TrilithRuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        return most + 1
    if most >= num_classes:
        raise TrilithRuntimeError("Class values must be smaller than num_classes.")
    return num_classes


TABLE.add(
    HostOp(
        "one_hot(Tensor input, SymInt num_classes=-1)",
        "A vector for each class that is 1 at its index and 0 elsewhere.",
        "tri.nn.functional.one_hot(tri.tensor([1]))  # tensor([[0, 1]])",
        _one_hot,
        methods=(),
        is_public=False,
        places=("nn.functional.one_hot",),
    )
)
