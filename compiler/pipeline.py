"""Which passes are there, what runs a list of them, and which target's list is it?

`PASSES` names every pass and where it lives; a pass is imported when it is first asked for. The row
of a target has two lists: what runs once on a traced function, and what runs on a kernel that has
not been compiled before. `trilith-opt` runs the same lists.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ..dialects.attributes.device import Device, cpu
from ..dialects.diagnostics import InternalError, TrilithError, TrilithRuntimeError
from ..dialects.locks import imported
from ..dialects.records import field, record
from ..dialects.tri.sizes import verifying
from ..dialects.tri.types import TensorType
from ..runtime.devices.base import missing_runtime
from .analysis.dominance import check_dominance
from .targets.steps import Step
from .targets.table import target_of_type
from .targets.target import Target

#: Name of a pass -> (module, class). A module that begins with a dot is one of the compiler.
PASSES: dict[str, tuple[str, str]] = {
    "tri-specialize": (".passes.tensors.specialize", "SpecializePass"),
    "tri-lower-sparse": (".passes.tensors.lower_sparse", "LowerSparsePass"),
    "tri-promote-types": (".passes.tensors.promote_types", "PromoteTypesPass"),
    "tri-place-devices": (".passes.tensors.place_devices", "PlaceDevicesPass"),
    "tri-drop-meta": (".passes.tensors.drop_meta", "DropMetaPass"),
    "tri-resolve-conj": (".passes.tensors.resolve_conj", "ResolveConjPass"),
    "tri-cse": (".passes.tensors.merge_equal", "MergeEqualPass"),
    "tri-hoist-views": (".passes.tensors.hoist_views", "HoistViewsPass"),
    "tri-hoist-gathers": (".passes.tensors.hoist_gathers", "HoistGathersPass"),
    "tri-canonicalize-formats": (".passes.tensors.canonicalize_formats", "CanonicalizeFormatsPass"),
    "tri-widen-factors": (".passes.tensors.widen_factors", "WidenFactorsPass"),
    "tri-keep-factors": (".passes.tensors.keep_factors", "KeepFactorsPass"),
    "tri-pack-factors": (".passes.tensors.pack_factors", "PackFactorsPass"),
    "tri-fuse-rows": (".passes.tensors.fuse_rows", "FuseRowsPass"),
    "tri-fuse": (".passes.tensors.fuse", "FusePass"),
    "tri-place-writes": (".passes.tensors.place_writes", "PlaceWritesPass"),
    "tri-lower-to-kernel": (".lowering.lower_to_kernel", "LowerToKernelPass"),
    "kernel-split-reductions": (".passes.kernels.split_reductions", "SplitReductionsPass"),
    "kernel-plan-buffers": (".passes.kernels.plan_buffers", "PlanBuffersPass"),
    "kernel-legalize-dtypes": (".passes.kernels.legalize_dtypes", "LegalizeDtypesPass"),
    "kernel-keep-elements": (".passes.kernels.keep_elements", "KeepElementsPass"),
    "kernel-order-floats": (".passes.kernels.order_floats", "OrderFloatsPass"),
    "kernel-expand-math": (".passes.kernels.expand_math", "ExpandMathPass"),
    "kernel-schedule": (".passes.kernels.schedule", "SchedulePass"),
    "canonicalize": (".passes.tensors.canonicalize", "CanonicalizePass"),
    "cse": ("xdsl.transforms.common_subexpression_elimination", "CommonSubexpressionElimination"),
    "dce": ("xdsl.transforms.dead_code_elimination", "DeadCodeElimination"),
}


def device_of(module: ModuleOp) -> Device:
    """Return the device that decides the target: an accelerator, else the host, else meta."""
    found: Device | None = None
    for func in module.ops:
        if not isinstance(func, FuncOp) or not func.body.blocks:
            continue
        block = func.body.block
        values = [*block.args, *(result for op in block.ops for result in op.results)]
        for value in values:
            kind = value.type
            if isinstance(kind, TensorType):
                device = kind.data.device
                if device.has_indices:
                    return device
                if found is None or device.is_host:
                    found = device
    return found or cpu


def target_of(device: Device) -> Target:
    """Return what functions for a device are lowered for; raises if nothing runs on its type."""
    found = target_of_type(device.type)
    if found is None:
        raise missing_runtime(device)
    return found


@cache
def pass_class(name: str) -> type[ModulePass]:
    """Return the class of a pass, importing it the first time."""
    found = PASSES.get(name)
    if found is None:
        raise InternalError(f"there is no pass '{name}'; there are {', '.join(sorted(PASSES))}")
    module, attribute = found
    if module.startswith("."):
        module = f"{__package__}{module}"
    return getattr(imported(module), attribute)


@cache
def make_pass(step: Step) -> ModulePass:
    """Return the pass of a step; passes are frozen, so one serves all."""
    return pass_class(step.name)(**dict(step.options))


#: Called with (step, module) after each pass.
Observer = Callable[[Step, ModuleOp], None]


@record(frozen=False)
class Runner:
    """Runs steps over a module, and shows the module to observers after each."""

    name: str = "module"
    observers: list[Observer] = field(default_factory=list[Observer])
    count: int = 0

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at the module after each step."""
        return bool(self.observers or environment_observers(self))

    def run(self, module: ModuleOp, steps: Sequence[Step]) -> None:
        """Run the steps in order; a failure names the step and carries the IR before it."""
        context = Context()
        watchers = [*self.observers, *environment_observers(self)]
        for step in steps:
            before = str(module) if watchers else ""
            try:
                make_pass(step).apply(context, module)
                for watcher in watchers:
                    watcher(step, module)
            except TrilithError:
                raise
            except Exception as error:
                raise InternalError(
                    f"pass '{step}' failed: {error}",
                    ir=before,
                    command=f"trilith-opt INPUT.mlir -p '{step}'",
                ) from error
            self.count += 1


def environment_observers(runner: Runner) -> list[Observer]:
    """Return what the environment asks for: TRILITH_VERIFY and TRILITH_DUMP_DIR."""
    observers: list[Observer] = []
    if os.environ.get("TRILITH_VERIFY", "0") not in ("", "0"):
        observers.append(_verify)
    folder = os.environ.get("TRILITH_DUMP_DIR")
    if folder:
        observers.append(_dumper(runner, Path(folder)))
    return observers


def _verify(step: Step, module: ModuleOp) -> None:
    try:
        with verifying(module):
            module.verify()
        check_dominance(module)
    except VerifyException as error:
        raise InternalError(f"pass '{step}' left invalid IR: {error}", ir=str(module)) from error


def _dumper(runner: Runner, folder: Path) -> Observer:
    """Return an observer that writes one numbered file per pass."""

    def dump(step: Step, module: ModuleOp) -> None:
        place = folder / runner.name / f"{runner.count:02}-{step.name}.mlir"
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(str(module) + "\n", encoding="utf-8")
        except OSError as error:
            raise TrilithRuntimeError(
                f"the IR cannot be written to {place}: {error.strerror}",
                hint="TRILITH_DUMP_DIR must name a folder that can be written to",
            ) from None

    return dump
