"""Which functions are Fourier transforms? Those of `torch.fft`, by their names there."""

from .compiler.eager.namespaces import getters as _getters

__getattr__, __dir__ = _getters(__name__)
