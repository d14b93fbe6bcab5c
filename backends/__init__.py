"""What does a program set of the libraries that PyTorch calls? By the names of `torch.backends`.

None of them is used here. What a program sets is kept for it to ask for, and changes nothing: every
operation gives the same bits each time anyway.
"""

from . import cuda, cudnn, mkl, mkldnn, mps, openmp

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp"]
