"""How does one keep less for gradients? By the names of `torch.utils.checkpoint`."""

from ..compiler.gradients.checkpoints import (
    CheckpointError,
    checkpoint,
    checkpoint_sequential,
    set_checkpoint_early_stop,
)

__all__ = [
    "CheckpointError",
    "checkpoint",
    "checkpoint_sequential",
    "set_checkpoint_early_stop",
]
