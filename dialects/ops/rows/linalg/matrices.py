"""How do the operations of linear algebra begin, and how do their results lie?

Results lie column by column, as LAPACK writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ....attributes.dtype import DType
from ....attributes.spec import TensorSpec
from ...frame.host_bodies import HostBodyOp
from ...frame.mapped import all_in_front
from ...frame.opspec import CompositeOp
from ...frame.row import Resolved, TensorLanguage, registering

Ints = tuple[int, ...]

#: Adds an operation of `tri.linalg` that is computed on the host.
on_host = registering(
    partial(HostBodyOp, is_public=False, methods=(), can_fail=True, mapping=all_in_front)
)
#: Adds an operation of `tri.linalg` that is written in others.
in_others = registering(partial(CompositeOp, is_public=False, methods=(), has_out=True))


def becoming(row: str) -> Callable[..., Any]:
    """Return what gives the arguments of a call to another row."""

    def expand(t: TensorLanguage, **arguments: Any) -> Any:
        return t.call(row, *arguments.values())

    return expand


def spec_of(t: TensorLanguage, value: Any) -> TensorSpec:
    """Return the spec of a tensor."""
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    return spec


def by_columns(spec: TensorSpec, shape: Ints, dtype: DType | None = None) -> TensorSpec:
    """Return the spec of matrices that lie column by column, on the device of another."""
    *batch, rows, columns = shape
    strides = [1, max(rows, 1)]
    step = max(rows, 1) * max(columns, 1)
    for size in reversed(batch):
        strides.insert(0, step)
        step *= max(size, 1)
    return TensorSpec.of(shape, dtype or spec.dtype, spec.device, tuple(strides))


def plain(spec: TensorSpec, shape: Ints, dtype: DType | None = None) -> TensorSpec:
    """Return the spec of a contiguous result."""
    return TensorSpec.of(shape, dtype or spec.dtype, spec.device)


def unchanged(attributes: Any, spec: TensorSpec, *results: TensorSpec) -> Resolved:
    """Return the answer of an operation that casts nothing and takes attributes as they are."""
    return Resolved(dict(attributes), (spec.dtype,), *results)
