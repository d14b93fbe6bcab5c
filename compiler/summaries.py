"""How do a traced and a lowered function show themselves at a prompt? What they take and give."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.kernel.function import FuncOp as KernelOp
from ..dialects.tri.types import ScalarType, TensorType
from ..runtime.execution.summaries import counted, spell_names, spell_signature


def traced_summary(name: str, module: ModuleOp) -> str:
    """Return the signature of a module's function, and how many operations it has."""
    functions = [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]
    count = sum(len(op.body.block.ops) - 1 for op in functions)  # all but `func.return`
    return f"{_signature(name, module)}, {counted(count, 'operation')}"


def lowered_summary(name: str, module: ModuleOp) -> str:
    """Return the signature of a module's function, and the names of its kernels."""
    kernels = [op.symbol for op in module.ops if isinstance(op, KernelOp)]
    return f"{_signature(name, module)}, {spell_names(kernels, 'kernel')}"


def _signature(name: str, module: ModuleOp) -> str:
    for op in module.ops:
        if isinstance(op, FuncOp):
            inputs, outputs = (
                [type_.data for type_ in types if isinstance(type_, TensorType | ScalarType)]
                for types in (op.function_type.inputs, op.function_type.outputs)
            )
            return spell_signature(name, inputs, outputs)
    return name
