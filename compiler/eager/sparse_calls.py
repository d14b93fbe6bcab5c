"""How does an operation run whose operands are sparse? At once, by the form of its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...dialects.diagnostics import TrilithNotImplementedError
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.sparse_forms import Parts
from ...runtime.tensors.sparse import SparseTensor
from ..trace.sparse_operands import ORDINARY, PartsOfTensors, run_sparse
from .data_dependent import ConcreteLanguage


class ConcreteSparseLanguage(PartsOfTensors, ConcreteLanguage):
    """The `SparseLanguage` of tensors with elements."""

    __slots__ = ()

    def hold(self, target: Any, parts: Parts) -> None:
        """Give a sparse tensor other parts, in place."""
        target.hold(parts.indices, parts.values, parts.shape, coalesced=parts.is_coalesced)


def run_sparse_out(
    row: OpSpec,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    out: Any,
    t: ConcreteSparseLanguage,
) -> Any:
    """Run a row with sparse operands, and give its result to `out`; a dense one is returned."""
    result = run_sparse(row, arguments, keywords, t)
    if result is ORDINARY or isinstance(out, SparseTensor) is not isinstance(result, SparseTensor):
        raise TrilithNotImplementedError(
            "Expected self.is_sparse() && result.is_sparse() to be true, but got false.  (Could "
            "this error message be improved?  If so, please report an enhancement request to "
            "PyTorch.)"
        )
    if not isinstance(out, SparseTensor):
        return result
    parts = t.parts(t.call("to", result, out.dtype))
    assert parts is not None
    t.hold(out, parts)
    out.bump()
    return out
