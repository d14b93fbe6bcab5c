"""What can be written instead of a name of PyTorch that does not exist here?

`CODE` is code over `x` and `y` of the same shape and parameters by PyTorch's names; the last part
after `;` is the value, and a test compares it with what PyTorch answers. `WORDS` says it in words,
`PLANNED` names what shall come. Only an error that is printed loads this.
"""

CODE = {
    # reductions
    # products
    "trace": "x.diagonal().sum()",
    # elementwise
    # shapes
    "range": "tri.arange(start, end + 1.0)",
    # through NumPy, outside of compiled functions
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
lu triangular_solve lstsq eig autograd no_grad enable_grad set_grad_enabled inference_mode
""".split()
)
