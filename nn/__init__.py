"""What are networks made of? Functions, as in `torch.nn`; classes of layers are not here."""

from . import functional as functional
