"""What are networks made of? Functions, as in `torch.nn`; classes of layers are not here."""

from typing import NoReturn as _NoReturn

from . import functional as functional


def __getattr__(name: str) -> _NoReturn:
    """Say what there is instead of a layer."""
    from ..runtime.tensors.missing import missing_layer

    raise missing_layer(name)
