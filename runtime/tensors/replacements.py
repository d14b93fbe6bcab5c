"""What can be written instead of a name of PyTorch, or NumPy, that does not exist here?

Only an error that is printed loads this.
"""

WORDS = {
    "functional": "functions of tensors: tri.relu, tri.gelu, tri.silu, tri.pad",
    "jit": "tri.compile",
    "compiler": "tri.compile",
    "fx": "tri.trace, which returns the program as IR",
    "cond": "tri.where(condition, a, b)",
    "vmap": "operations on a leading dim: they broadcast",
    "save": "pickle.dump(x, file)",
    "load": "pickle.load(file)",
    "map_": "x.copy_(f(x, y)), f written with operations of tensors",
    "map2_": "x.copy_(f(x, y, z)), f written with operations of tensors",
    "astype": "x.to(dtype)",
    "copy": "x.clone()",
    "array": "tri.tensor(data)",
    "attention": "tri.nn.functional.scaled_dot_product_attention(q, k, v)",
    "amp": "x.to(tri.bfloat16)",
    "autocast": "x.to(tri.bfloat16)",
    "signal": "tri.hann_window, tri.hamming_window, tri.blackman_window, tri.kaiser_window",
    "Storage": "x.untyped_storage(), tri.UntypedStorage",
    "optim": "the update itself, in tri.no_grad(): w -= rate * w.grad",
    "distributions": "draws in place, as x.normal_(), or tri.multinomial and tri.poisson",
    "GradScaler": "the loss as it is: float32 and bfloat16 need no scale",
}
#: The same for parts of `torch.utils`.
OF_UTILS = {
    "data": "slices of tensors: for rows in tri.randperm(len(x)).split(32): x[rows], y[rows]",
    "tensorboard": "print, or a package that writes logs",
    "model_zoo": "numpy.load, and tri.from_numpy of what is in the file",
    "benchmark": "time.perf_counter around calls: they end when their results are there",
    "cpp_extension": "tri.compile, which makes machine code of a function",
}
