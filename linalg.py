"""Which functions are linear algebra? Those of `torch.linalg`, by their names there."""

from .compiler.eager.namespaces import getters as _getters
from .dialects.diagnostics import TrilithLinAlgError as LinAlgError

__all__ = ["LinAlgError"]

__getattr__, __dir__ = _getters(__name__)
