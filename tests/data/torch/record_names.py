"""Which public names does PyTorch have? Prints `runtime/tensors/torch_names.py`; needs torch 2.13.

Standard modules, typing's names and the classes of TorchScript are left out.
"""

import textwrap
import types

import torch

HEADER = '''"""Which public names does PyTorch have? Written by `tests/data/torch/record_names.py`.

Names of torch 2.13: of the package, of tensors, and the functions of `torch.nn.functional` that the
package does not have. Only an error that is printed loads this.
"""
'''
_FOREIGN = {"typing", "typing_extensions", "builtins", "collections.abc"}


def public(owner: object) -> list[str]:
    """Return the names that do not begin with an underscore."""
    return [name for name in dir(owner) if not name.startswith("_")]


def is_ours(name: str) -> bool:
    """Whether a name of the package is meant for its users."""
    value = getattr(torch, name)
    if isinstance(value, types.ModuleType):
        return value.__name__.startswith("torch.")
    module = getattr(value, "__module__", None)
    if isinstance(value, (type, types.FunctionType)) and module in _FOREIGN:
        return False
    is_script = isinstance(value, type) and module in ("torch", "torch._C") and name[0].isupper()
    kept = ("Tensor", "Storage", "Generator", "Size", "Stream", "Event")
    return not is_script or name.endswith(kept)


def assignment(name: str, names: list[str]) -> str:
    """Return the names as a string that is split when the module is loaded."""
    text = textwrap.fill(" ".join(sorted(names)), 99, break_on_hyphens=False)
    return f'\n{name} = frozenset(\n    """\n{text}\n""".split()\n)\n'


def main() -> None:
    """Print the module."""
    functional = torch.nn.functional
    functions = [name for name in public(torch) if is_ours(name)]
    plain = (types.FunctionType, types.BuiltinFunctionType)
    of_nn = [
        name
        for name in public(functional)
        if isinstance(getattr(functional, name), plain)
        and name not in functions
        and "torch_function" not in name
    ]
    print(HEADER.rstrip())
    print(assignment("FUNCTIONS", functions), end="")
    print(assignment("METHODS", public(torch.Tensor)), end="")
    print(assignment("NN_FUNCTIONS", of_nn), end="")


if __name__ == "__main__":
    main()
