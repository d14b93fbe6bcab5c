"""Which functions are of sparse tensors alone? Those of `torch.sparse`, by their names there."""

from .compiler.eager.namespaces import getters as _getters
from .runtime.tensors.sparse_checks import check_sparse_tensor_invariants

__all__ = ["check_sparse_tensor_invariants"]

__getattr__, __dir__ = _getters(__name__)
