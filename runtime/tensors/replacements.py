"""What can be written instead of a name of PyTorch that does not exist here?

`CODE` is code over `x` and `y` of the same shape and parameters by PyTorch's names; the last part
after `;` is the value, and a test compares it with what PyTorch answers. `WORDS` says it in words,
`PLANNED` names what shall come. Only an error that is printed loads this.
"""

CODE = {
    # reductions
    "softmax": "e = (x - x.amax(dim, True)).exp(); e / e.sum(dim, True)",
    "softmin": "e = (x.amin(dim, True) - x).exp(); e / e.sum(dim, True)",
    "log_softmax": "z = x - x.amax(dim, True); z - z.exp().sum(dim, True).log()",
    "layer_norm": "z = x - x.mean(-1, True); z / ((z * z).mean(-1, True) + eps).sqrt()",
    "rms_norm": "x / ((x * x).mean(-1, True) + eps).sqrt()",
    # products
    "trace": "x.diagonal().sum()",
    # elementwise
    # shapes
    "concat": "tri.cat([x, y])",
    "concatenate": "tri.cat([x, y])",
    "one_hot": "(n[..., None] == tri.arange(num_classes)).to(tri.int64)",
    "embedding": "weight[n]",
    "range": "tri.arange(start, end + 1.0)",
    # through NumPy, outside of compiled functions
    "quantile": "tri.tensor(np.quantile(x.numpy(), q))",
}

_NO_GRADIENTS = "nothing: trilith records nothing for gradients, so leave it out"
WORDS = {
    "functional": "functions of tensors: tri.relu, tri.gelu, tri.silu, tri.pad",
    "jit": "tri.compile",
    "compiler": "tri.compile",
    "fx": "tri.trace, which returns the program as IR",
    "cond": "tri.where(condition, a, b)",
    "vmap": "operations on a leading dim: they broadcast",
    "no_grad": _NO_GRADIENTS,
    "enable_grad": _NO_GRADIENTS,
    "set_grad_enabled": _NO_GRADIENTS,
    "inference_mode": _NO_GRADIENTS,
    "save": "pickle.dump(x, file)",
    "load": "pickle.load(file)",
    "normal": "mean + std * tri.randn(size)",
    "bernoulli": "tri.rand(x.shape) < x",
    "normal_": "x.copy_(mean + std * tri.randn(x.shape))",
    "uniform_": "x.copy_(low + (high - low) * tri.rand(x.shape))",
    "randint_like": "tri.randint(high, x.shape)",
    "seed": "tri.manual_seed(number)",
    "median": "numpy.sort on x.numpy(), outside of compiled functions",
    "new": "x.new_empty(size)",
    "apply_": "x.copy_(f(x)), f written with operations of tensors",
    "map_": "x.copy_(f(x, y)), f written with operations of tensors",
    "map2_": "x.copy_(f(x, y, z)), f written with operations of tensors",
    "astype": "x.to(dtype)",
    "copy": "x.clone()",
    "array": "tri.tensor(data)",
}

#: The kinds of operations that the README names as not there yet.
PLANNED = frozenset(
    """
conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution fold unfold
median nanmedian quantile nanquantile softmax log_softmax softmin lu triangular_solve lstsq eig
autograd no_grad enable_grad set_grad_enabled inference_mode
""".split()
)
