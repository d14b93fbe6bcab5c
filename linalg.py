"""Which functions are linear algebra? Those of `torch.linalg`, by their names there."""

from .compiler.eager.namespaces import getters as _getters

__getattr__, __dir__ = _getters(__name__)
