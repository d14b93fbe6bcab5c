"""What are the layers of networks in the words of each library?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

LAYERS = ("linear", "conv", "softmax", "layer_norm", "relu")


def layers(functional: Any) -> Mapping[str, Callable[..., Any]]:
    """Return the layers as PyTorch calls them."""

    def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
        return functional.layer_norm(x, weight.shape, weight, bias)

    return {
        "linear": functional.linear,
        "conv": partial(functional.conv2d, padding=1),
        "softmax": partial(functional.softmax, dim=-1),
        "layer_norm": layer_norm,
        "relu": functional.relu,
        "cross_entropy": functional.cross_entropy,
    }


def formulas(library: Any) -> Mapping[str, Callable[..., Any]]:
    """Return the layers written by hand over NumPy's functions, or those of a library like it."""

    def linear(x: Any, weight: Any, bias: Any) -> Any:
        product = x @ weight.T
        return product if bias is None else product + bias

    def softmax(x: Any) -> Any:
        raised = library.exp(x - x.max(-1, keepdims=True))
        return raised / raised.sum(-1, keepdims=True)

    def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        variance = (centred * centred).mean(-1, keepdims=True)
        return centred / library.sqrt(variance + 1e-5) * weight + bias

    def relu(x: Any) -> Any:
        return library.maximum(x, 0)

    return {"linear": linear, "softmax": softmax, "layer_norm": layer_norm, "relu": relu}
