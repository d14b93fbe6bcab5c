"""What are layers without parameters? The functions of `torch.nn.functional`."""

from ..compiler.eager.namespaces import getters as _getters

__getattr__, __dir__ = _getters(__name__)
