"""What are networks made of? Parameters and functions, as in `torch.nn`; no classes of layers."""

from typing import Any as _Any

from . import functional as functional
from . import init as init
from . import utils as utils


def __getattr__(name: str) -> _Any:
    """Load parameters when they are first asked for; say what there is instead of a layer."""
    if name == "Parameter":
        from ..runtime.tensors.parameter import Parameter

        globals()[name] = Parameter
        return Parameter
    from ..runtime.tensors.missing import missing_layer

    raise missing_layer(name)
