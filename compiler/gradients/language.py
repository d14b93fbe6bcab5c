"""In which language do formulas call rows? In that of whoever runs them: at once, or recorded."""

from __future__ import annotations

from typing import Any

from ...dialects.attributes.spec import ScalarSpec
from ...dialects.ops.frame.row import OperandSpec
from ...dialects.ops.frame.sparse_forms import Parts
from ...dialects.ops.table import TABLE
from ...runtime.gradients.engine import is_pushing
from ...runtime.gradients.levels import is_transforming
from ...runtime.gradients.modes import is_grad_enabled
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.recorded_sparse import of_values
from ..eager.operations import EAGER
from ..trace.tracer import TRACING


class GradientLanguage:
    """The `TensorLanguage` of formulas: part of the function that is traced, if one is."""

    @property
    def is_recording(self) -> bool:
        """Whether what formulas compute is to be differentiated again."""
        return is_grad_enabled()

    @property
    def is_pushing(self) -> bool:
        """Whether a gradient is asked for only to be differentiated, at 0, as in forward mode.

        A formula has to be linear in it there, as it is seen by a derivative.
        """
        return is_pushing()

    @property
    def is_transforming(self) -> bool:
        """Whether a function is run by `func.grad` and its kin, where PyTorch checks less."""
        return is_transforming()

    def number(self, value: Any) -> int | None:
        """Return the integer in a 0-dim tensor, None where elements are not known."""
        if TRACING.trace is not None or value.batch_level is not None:
            return None
        return int(value.item()) if value.spec.device.has_values else None

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Apply the row called `name`."""
        trace = TRACING.trace
        if trace is not None:
            return trace.apply(TABLE[name], arguments, keywords)
        return EAGER.call(TABLE[name], arguments, keywords)

    def sparse(self, parts: Parts) -> Any:
        """Make a sparse tensor, through which gradients come to its values."""
        return of_values(parts.indices, parts.values, parts.shape, coalesced=parts.is_coalesced)

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of an operand."""
        return value.spec if isinstance(value, TensorFields) else ScalarSpec.of(value)


LANGUAGE = GradientLanguage()
