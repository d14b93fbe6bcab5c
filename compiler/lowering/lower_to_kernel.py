"""How does a fusion become a kernel? A loop nest over strided buffers, with scalars as payload.

Before::

    %1 = tri.fusion (%a = %x : !tri.tensor<4x3xf32>) -> (!tri.tensor<4x3xf32>) {
      %0 = tri.exp %a : !tri.tensor<4x3xf32> -> !tri.tensor<4x3xf32>
      tri.yield %0 : !tri.tensor<4x3xf32>
    }

After::

    %1 = tri.empty : !tri.tensor<4x3xf32>
    tri.launch @exp_0(%x, %1) [12, 0, 0] : ...

    kernel.func @exp_0(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, [1]>) {
      kernel.map (%i) to (%n) {
        %v = kernel.load %x[%i] : f32
        %e = math.exp %v : f32
        kernel.store %e, %y[%i]
      }
    }

Equal kernels of a function are one. Sizes, offsets and strides are the launch's integers; views are
nothing but other integers. Numbers of the program are scalar arguments of the kernel, constants in
front of the launch: `x * 2` and `x * 3` are one kernel. Those of an operation's own formula stay in
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.attributes.spec import ScalarSpec
from ...dialects.kernel.abi import KernelSignature
from ...dialects.kernel.function import FuncOp as KernelOp
from ...dialects.tri.ops import (
    TensorOperation,
    ViewOperation,
    tensor_spec,
)
from ...dialects.tri.structure import ConstantOp, EmptyOp, FusionOp, LaunchOp, StridedOp
from ...dialects.tri.writing import WriteOp
from ..analysis.aliases import root_of
from ..analysis.kernel_keys import structural_key
from ..analysis.locations import spell_location
from .drafts import DRAFTS, no_lowering
from .host_calls import has_host_body, lower_host_body
from .kernel_bodies import draft_write
from .kernel_builder import KernelDraft, Number, destination_of
from .row_bodies import draft_fusion
from .transfers import is_transfer, lower_transfer

#: The key of a kernel that is compared with no other.
_ALONE = ""


@dataclass(frozen=True)
class LowerToKernelPass(ModulePass):
    """Turn fusions and the other computing operations into kernels and launches."""

    name = "tri-lower-to-kernel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower every function; kernels are added to the module."""
        lowering = _Lowering(op)
        for func in list(op.ops):
            if isinstance(func, FuncOp) and func.body.blocks:
                lowering.run(func.body.block)


class _Lowering:
    """Lowers the functions of a module, which share kernels."""

    block: Block

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self.kernels: dict[str, tuple[str, KernelSignature]] = {}
        #: The first kernel, as long as nobody asks whether another one is the same.
        self.without_key: KernelOp | None = None
        #: The numbers of the function that is being lowered.
        self.numbers: dict[tuple[type, str], SSAValue] = {}

    def run(self, block: Block) -> None:
        """Lower each operation of a function, then what is returned; drop what is unused."""
        self.block = block
        self.numbers = {}
        operations = list(self.block.ops)
        for op in operations:
            if isinstance(op, FusionOp):
                self._lower(op, [draft_fusion(op)])
            elif is_transfer(op):
                lower_transfer(self.block, op)
            elif has_host_body(op):
                lower_host_body(self.block, op)
            elif isinstance(op, WriteOp):
                self._write(op)
            elif isinstance(op, ReturnOp):
                self._return(op)
            elif isinstance(op, (ViewOperation, EmptyOp, ConstantOp)):
                continue
            elif isinstance(op, TensorOperation):
                self._lower(op, DRAFTS.of(op.ROW)(op))
            else:
                raise no_lowering(op.name)
        for op in reversed(operations):
            if isinstance(op, (ViewOperation, ConstantOp)) and not op.results[0].uses:
                op.detach()
                op.erase()

    def _lower(self, op: Operation, drafts: Sequence[KernelDraft]) -> None:
        """Replace an operation by memory for its results and a launch for each draft."""
        memory: dict[SSAValue, SSAValue] = {}
        direct = [result for result in op.results if destination_of(result)[0] is not result]
        for result in op.results:
            if result in direct:
                continue
            empty = EmptyOp.make(tensor_spec(result))
            empty.results[0].name_hint = result.name_hint
            self.block.insert_op_before(empty, op)
            memory[result] = empty.results[0]
        for draft in drafts:
            if draft.is_empty:
                continue
            self._launch(draft, memory, op)
        for result, value in memory.items():
            result.replace_all_uses_with(value)
        for result in direct:
            # The launches have stored it where it belongs.
            for use in list(result.uses):
                use.operation.detach()
                use.operation.erase()
        op.detach()
        op.erase(safe_erase=False)

    def _write(self, op: WriteOp) -> None:
        """Copy a value into an argument's memory, unless it has been computed there."""
        if op.parent is None:
            return
        draft = draft_write(op)
        if not draft.is_empty:
            self._launch(draft, {}, op)
        op.detach()
        op.erase()

    def _launch(self, draft: KernelDraft, memory: dict[SSAValue, SSAValue], op: Operation) -> None:
        """Launch a draft's kernel in front of the operation that it computes."""
        name, signature = self._kernel(draft)
        arguments = [
            memory.get(value, value) if isinstance(value, SSAValue) else self._number(value, op)
            for value in draft.operands
        ]
        integers = draft.integers(signature)
        origins = [spell_location(origin) for origin in draft.origins]
        launch = LaunchOp.make(name, arguments, integers, origins, op.location)
        self.block.insert_op_before(launch, op)

    def _number(self, number: Number, op: Operation) -> SSAValue:
        """Return a number of the program, which the launches of the function share."""
        key = (type(number), repr(number))
        found = self.numbers.get(key)
        if found is None:
            made = ConstantOp.make(number, ScalarSpec.of(number))
            self.block.insert_op_before(made, op)
            found = self.numbers[key] = made.results[0]
        return found

    def _kernel(self, draft: KernelDraft) -> tuple[str, KernelSignature]:
        """Return the kernel of a draft: one that is there already, or the draft's own."""
        key = self._key(draft.func)
        found = self.kernels.get(key)
        if found is None:
            name = f"{draft.title}_{len(self.kernels)}"
            func: KernelOp = draft.named(name)
            found = (name, KernelSignature.of(func))
            self.kernels[key] = found
            self.module.body.block.add_op(func)
        return found

    def _key(self, func: KernelOp) -> str:
        """Return what equal kernels share; of most functions the first kernel is the only one."""
        if not self.kernels:
            self.without_key = func
            return _ALONE
        if self.without_key is not None:
            self.kernels[structural_key(self.without_key)] = self.kernels.pop(_ALONE)
            self.without_key = None
        return structural_key(func)

    def _return(self, op: ReturnOp) -> None:
        for index, value in enumerate(op.operands):
            if isinstance(value.owner, ViewOperation):
                root, view = root_of(value)
                spec = tensor_spec(value)
                strided = StridedOp.make(root, view, spec.dtype, is_conj=spec.is_conj)
                self.block.insert_op_before(strided, op)
                op.operands[index] = strided.results[0]
