"""How are functions turned into their derivatives? By the names of `torch.func`."""

from .compiler.gradients.functional import (
    grad,
    grad_and_value,
    jvp,
    linearize,
    vjp,
)

from .compiler.mapping.vmap import vmap

__all__ = ["grad", "grad_and_value", "jvp", "linearize", "vjp", "vmap"]
