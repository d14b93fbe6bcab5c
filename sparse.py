"""Which functions are of sparse tensors alone? Those of `torch.sparse`, by their names there."""

from .compiler.eager.namespaces import getters as _getters

__getattr__, __dir__ = _getters(__name__)
