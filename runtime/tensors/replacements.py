"""What can be written instead of a name of PyTorch that does not exist here?

`CODE` is code over `x` and `y` of the same shape and parameters by PyTorch's names; the last part
after `;` is the value, and a test compares it with what PyTorch answers. `WORDS` says it in words,
`PLANNED` names what shall come. Only an error that is printed loads this.
"""

CODE = {
    # reductions
    "argmin": "x.min(dim).indices",
    "var": "tri.var_mean(x, dim)[0]",
    "std": "tri.var_mean(x, dim)[0].sqrt()",
    "norm": "(x * x).sum().sqrt()",
    "dist": "((x - y) ** 2).sum().sqrt()",
    "count_nonzero": "(x != 0).sum()",
    "nansum": "tri.where(x.isnan(), 0, x).sum()",
    "nanmean": "tri.where(x.isnan(), 0, x).sum() / (~x.isnan()).sum()",
    "logsumexp": "m = x.amax(dim, True); ((x - m).exp().sum(dim, True).log() + m).squeeze(dim)",
    "softmax": "e = (x - x.amax(dim, True)).exp(); e / e.sum(dim, True)",
    "softmin": "e = (x.amin(dim, True) - x).exp(); e / e.sum(dim, True)",
    "log_softmax": "z = x - x.amax(dim, True); z - z.exp().sum(dim, True).log()",
    "layer_norm": "z = x - x.mean(-1, True); z / ((z * z).mean(-1, True) + eps).sqrt()",
    "rms_norm": "x / ((x * x).mean(-1, True) + eps).sqrt()",
    "equal": "x.shape == y.shape and bool((x == y).all())",
    "allclose": "bool(((x - y).abs() <= 1e-8 + 1e-5 * y.abs()).all())",
    # products
    "mm": "x @ y.T",
    "bmm": "x[None] @ y.T[None]",
    "mv": "x @ y[0]",
    "dot": "x[0] @ y[0]",
    "vdot": "x[0] @ y[0]",
    "inner": "x @ y.T",
    "outer": "x[0][:, None] * y[0]",
    "ger": "x[0][:, None] * y[0]",
    "addmm": "input + x @ y.T",
    "linear": "x @ weight.T + bias",
    "trace": "x.diagonal().sum()",
    # elementwise
    "sinh": "(x.exp() - (-x).exp()) / 2",
    "cosh": "(x.exp() + (-x).exp()) / 2",
    "tan": "x.sin() / x.cos()",
    "log10": "x.log() / 2.302585092994046",
    "erfc": "1 - tri.erf(x)",
    "logit": "(x / (1 - x)).log()",
    "logaddexp": "tri.maximum(x, y) + tri.log1p(tri.exp(-(x - y).abs()))",
    "xlogy": "tri.where(x == 0, 0, x * y.log())",
    # shapes
    "concat": "tri.cat([x, y])",
    "concatenate": "tri.cat([x, y])",
    "diff": "x[..., 1:] - x[..., :-1]",
    "one_hot": "(n[..., None] == tri.arange(num_classes)).to(tri.int64)",
    "embedding": "weight[n]",
    "range": "tri.arange(start, end + 1.0)",
    # through NumPy, outside of compiled functions
    "cummax": "tri.from_numpy(np.maximum.accumulate(x.numpy(), dim))",
    "unique": "tri.from_numpy(np.unique(x.numpy()))",
    "quantile": "tri.tensor(np.quantile(x.numpy(), q))",
    "bincount": "tri.from_numpy(np.bincount(n.numpy()))",
}

_NO_GRADIENTS = "nothing: trilith records nothing for gradients, so leave it out"
WORDS = {
    "nn": "functions of tensors: tri.relu, tri.gelu, tri.silu, x @ weight.T + bias; weights are "
    "tensors that the program holds",
    "functional": "functions of tensors: tri.relu, tri.gelu, tri.silu, tri.pad",
    "einsum": "matmul (@), permute, reshape and sum",
    "tensordot": "reshape and matmul (@)",
    "jit": "tri.compile",
    "compiler": "tri.compile",
    "fx": "tri.trace, which returns the program as IR",
    "export": "tri.trace(f, x).lower().compile(), which can be pickled",
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
    "topk": "numpy.argsort on x.numpy(), outside of compiled functions",
    "median": "numpy.sort on x.numpy(), outside of compiled functions",
    "new": "x.new_empty(size)",
    "astype": "x.to(dtype)",
    "copy": "x.clone()",
    "array": "tri.tensor(data)",
}

#: The kinds of operations that the README names as not there yet.
PLANNED = frozenset(
    """
conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution fold unfold
cummax cummin logcumsumexp cumulative_trapezoid
topk kthvalue median nanmedian mode unique unique_consecutive searchsorted
bucketize quantile nanquantile argmin
var std std_mean softmax log_softmax softmin logsumexp
mm bmm mv dot vdot inner outer ger einsum tensordot addmm addmv addr addbmm baddbmm chain_matmul
addmm_ addmv_ addr_ addbmm_ baddbmm_ kron linalg det logdet slogdet inverse pinverse cholesky
cholesky_inverse cholesky_solve qr svd lu lu_solve lu_unpack matrix_exp matrix_power norm
triangular_solve lstsq eig
autograd no_grad enable_grad set_grad_enabled inference_mode
""".split()
)
