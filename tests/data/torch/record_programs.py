"""Record what the programs in tests/programs give with PyTorch, as `programs.json`.

    python record_programs.py        # with PyTorch installed, trilith is not imported

The very sources run: where they import trilith they get torch. For each call and size there is a
list of results. A tensor is [dtype, shape, strides, elements, checksum or error]: of integers the
elements are samples, and the checksum (CRC-32 of all as int64) is of all of them; of floats the
samples are those of the same program in float64, and the error is the largest distance of
PyTorch's float32 from it, in all elements. Anything else is ["value", value].
"""

import importlib.util
import json
import pathlib
import sys
import zlib
from typing import Any

import numpy as np
import torch

FOLDER = pathlib.Path(__file__).resolve().parent
PROGRAMS = FOLDER.parents[1] / "programs"

for name, module in {
    "trilith": torch,
    "trilith.nn": torch.nn,
    "trilith.nn.functional": torch.nn.functional,
}.items():
    sys.modules[name] = module


def load_calls() -> Any:
    spec = importlib.util.spec_from_file_location("calls", PROGRAMS / "calls.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["calls"] = module
    spec.loader.exec_module(module)
    return module


CALLS = load_calls()


def widened(value: Any) -> Any:
    """Return arguments with float64 in the place of float32."""
    if isinstance(value, torch.Tensor):
        return value.double() if value.dtype is torch.float32 else value
    if isinstance(value, dict):
        return {key: widened(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([widened(item) for item in value])
    return value


def described(result: Any, exact: Any) -> list[Any]:
    if not isinstance(result, torch.Tensor):
        return ["value", result]
    head = [str(result.dtype).removeprefix("torch."), list(result.shape), list(result.stride())]
    if not result.dtype.is_floating_point:
        values = result.to(torch.int64).numpy()
        checksum = zlib.crc32(np.ascontiguousarray(values).tobytes())
        return [*head, CALLS.sampled(values).tolist(), checksum]
    wide = exact.double().numpy()
    error = np.abs(result.double().numpy() - wide).max()
    return [*head, [float(f"{x:.9g}") for x in CALLS.sampled(wide)], float(f"{error:.3g}")]


def answers(call: Any, size: int) -> list[Any]:
    module = CALLS.load(call.program)
    function = getattr(module, call.function)
    arguments = call.arguments(module, torch, size)
    results = CALLS.leaves(function(*arguments))
    torch.set_default_dtype(torch.float64)
    exact = CALLS.leaves(function(*widened(arguments)))
    torch.set_default_dtype(torch.float32)
    return [described(*pair) for pair in zip(results, exact, strict=True)]


if __name__ == "__main__":
    recorded = {
        call.name: {str(size): answers(call, size) for size in call.sizes} for call in CALLS.CALLS
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in recorded.items())
    head = json.dumps({"torch": torch.__version__})
    (FOLDER / "programs.json").write_text(f'{head[:-1]}, "calls": {{\n{lines}\n}}}}\n')
