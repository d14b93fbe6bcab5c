"""How does one keep less for gradients? By the names of `torch.utils.checkpoint`."""

from ..compiler.gradients.checkpoints import checkpoint, checkpoint_sequential

__all__ = ["checkpoint", "checkpoint_sequential"]
