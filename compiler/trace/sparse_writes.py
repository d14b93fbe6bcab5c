"""What is a sparse tensor inside a traced function? A sparse tensor whose parts are stand-ins.

Forms of rows are written in rows on these, so that what they say is recorded. What has a number of
entries that depends on elements cannot be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Never

from ...dialects.locks import imported
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.sparse_forms import Parts
from .not_traceable import NotTraceable
from .sparse_operands import PartsOfTensors, run_sparse
from .tracer import Trace
from .writes import TracedWriting


class TracedSparse(PartsOfTensors, TracedWriting):
    """The `SparseLanguage` of a trace."""

    def apply(self, row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Record a call of a row with sparse operands; `ORDINARY` where it needs no form.

        It is one operation of the function, whose form is run where that is found out.
        """
        if self._trace.is_of_form:
            return run_sparse(row, arguments, keywords, self)
        record_sparse = imported(".sparse_steps", __package__).record_sparse
        return record_sparse(self._trace, row, arguments, keywords)

    def hold(self, target: Any, parts: Parts) -> Never:
        """Refuse: who gave the tensor would know nothing of its other parts."""
        raise NotTraceable(
            "a traced function cannot give a sparse tensor other entries",
            hint="return the result, or write into values()",
        )


Trace.SPARSE = TracedSparse
