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
}
