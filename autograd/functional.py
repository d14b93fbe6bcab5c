"""What are the derivatives of a function at a point? By the names of `torch.autograd.functional`."""

from ..compiler.gradients.derivatives import hessian, hvp, jacobian, jvp, vhp, vjp

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
