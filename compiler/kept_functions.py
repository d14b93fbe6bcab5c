"""Which of a traced function's arguments are captured, and what does it compute of them once?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.digests import blake2b
from ..dialects.kernel.function import FuncOp as KernelOp
from ..dialects.tri.types import TensorType, is_sparse
from ..runtime.tensors.tensor import Tensor
from .analysis.kernel_keys import structural_key
from .artifacts import CodeOf, build_artifact
from .kept_operands import KeptOperands, keepable
from .passes.tensors.keep_factors import KEPT, captured_arguments, set_captured_arguments


def mark_captured(module: ModuleOp, captured: Sequence[Tensor]) -> None:
    """Say which arguments of a traced function are captured tensors whose writes are all seen.

    They are among the last ones of its tensors.
    """
    numbers = keepable(captured)
    func = next(op for op in module.ops if isinstance(op, FuncOp))
    arguments = [each for each in func.body.block.args if isinstance(each.type, TensorType)]
    if not numbers or any(is_sparse(each) for each in arguments):
        return
    held = arguments[len(arguments) - len(captured) :]
    set_captured_arguments(func, [held[number].index for number in numbers])


def kept_operands(module: ModuleOp, captured: int, code_of: CodeOf) -> KeptOperands | None:
    """Return what a lowered function has computed of captured tensors; None if that is nothing.

    There are so many captured ones.
    """
    funcs = [op for op in module.ops if isinstance(op, FuncOp)]
    for func in funcs[1:]:
        if func.sym_name.data != funcs[0].sym_name.data + KEPT:
            continue
        arguments = [
            each.index for each in funcs[0].body.block.args if isinstance(each.type, TensorType)
        ]
        first = len(arguments) - len(func.function_type.outputs.data) - captured
        sources = [arguments.index(number) - first for number in captured_arguments(func)]
        artifact = build_artifact(func.sym_name.data, module, code_of, func)
        return KeptOperands(artifact, sources, _digest(module, func))
    return None


def _digest(module: ModuleOp, func: FuncOp) -> str:
    """Return what two functions that compute the same have in common, whatever is beside them."""
    keys = {op.symbol: structural_key(op) for op in module.ops if isinstance(op, KernelOp)}
    text = re.sub(r"@([\w.]+)", lambda name: keys.get(name[1], ""), str(func))
    return blake2b(text.encode(), digest_size=16).hexdigest()
