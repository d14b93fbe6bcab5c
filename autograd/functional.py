"""What are the derivatives of a function at a point? As in `torch.autograd.functional`."""

from ..compiler.gradients.derivatives import hessian, hvp, jacobian, jvp, vhp, vjp

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
