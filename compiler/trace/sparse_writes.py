"""What is a sparse tensor inside a traced function? A sparse tensor whose parts are stand-ins.

Forms of rows are written in rows on these, so that what they say is recorded. What has a number of
entries that depends on elements cannot be.
"""

from __future__ import annotations

from typing import Any, Never

from ...dialects.ops.frame.sparse_forms import Parts
from .not_traceable import NotTraceable
from .sparse_operands import PartsOfTensors
from .tracer import Trace
from .writes import TracedWriting


class TracedSparse(PartsOfTensors, TracedWriting):
    """The `SparseLanguage` of a trace."""

    def hold(self, target: Any, parts: Parts) -> Never:
        """Refuse: who gave the tensor would know nothing of its other parts."""
        raise NotTraceable(
            "a traced function cannot give a sparse tensor other entries",
            hint="return the result, or write into values()",
        )


Trace.SPARSE = TracedSparse
