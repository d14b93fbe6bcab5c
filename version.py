"""Which version is this, and what was it built for? By the names of `torch.version`."""

from . import __version__ as __version__

__all__ = ["__version__", "cuda", "debug", "hip", "rocm", "xpu"]

#: Whether this is a build with checks for its own developers.
debug = False
#: The versions of the toolkits that PyTorch may be built with: none of them is used.
cuda: str | None = None
hip: str | None = None
rocm: str | None = None
xpu: str | None = None
