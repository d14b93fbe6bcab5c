"""How are functions turned into their derivatives, and mapped? By the names of `torch.func`."""

from .compiler.gradients.directions import jvp, linearize, vjp
from .compiler.gradients.functional import grad, grad_and_value
from .compiler.gradients.jacobians import hessian, jacfwd, jacrev
from .compiler.mapping.vmap import vmap

__all__ = [
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
    "vmap",
]
