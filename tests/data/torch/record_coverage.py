"""Which functions and tensor members does PyTorch have? Prints `coverage.json`; needs torch 2.13.

Functions are what can be called and is no class; of tensors all public names count.
"""

import json

import torch

MODULES = {
    "torch": torch,
    "torch.nn.functional": torch.nn.functional,
    "torch.special": torch.special,
    "torch.linalg": torch.linalg,
    "torch.fft": torch.fft,
}
#: Helpers of torch.nn.functional's own that are no functions of tensors.
_HELPERS = {"Optional", "assert_int_or_pair", "boolean_dispatch", "handle_torch_function"}
_HELPERS |= {"has_torch_function", "has_torch_function_unary", "has_torch_function_variadic"}


def functions(module: object) -> list[str]:
    """The names of what can be called, sorted."""
    found = [name for name in dir(module) if not name.startswith("_")]
    values = {name: getattr(module, name) for name in found}
    return sorted(
        name
        for name, value in values.items()
        if callable(value) and not isinstance(value, type) and name not in _HELPERS
    )


def main() -> None:
    """Print the names, a line for each module."""
    names = {name: functions(module) for name, module in MODULES.items()}
    names["torch.Tensor"] = sorted(n for n in dir(torch.Tensor) if not n.startswith("_"))
    lines = [f'"{name}":{json.dumps(found)}' for name, found in sorted(names.items())]
    print("{" + ",\n".join(lines) + "}")


if __name__ == "__main__":
    main()
