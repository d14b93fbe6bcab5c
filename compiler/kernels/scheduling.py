"""How does a structured kernel become a scheduled one? A copy does, by the passes of its target."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr

from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.scheduled import HURRIED
from ...dialects.kernel.structured import MapOp
from ...dialects.making import clone_kernel
from ..pipeline import Runner
from ..targets.steps import Step
from ..targets.target import Target


class Schedules:
    """The scheduled forms of a kernel; the passes before the last one run once for all of them."""

    def __init__(self, func: FuncOp, target: Target, name: str | None = None) -> None:
        """Prepare a copy of a structured kernel under a name, or its own."""
        copy = clone_kernel(func)
        if name is not None:
            copy.properties["sym_name"] = StringAttr(name)
        *before, self._last = target.kernel_steps()
        self._runner = Runner(copy.symbol)
        self._has_hurried_schedule = target.hurried_schedule is not None
        module = ModuleOp([copy])
        self._runner.run(module, before)
        self._ready = _only_kernel(module)
        self._ready.detach()
        self._nests = [op for op in self._ready.block.ops if op.regions]
        self._usual: FuncOp | None = None

    @property
    def can_hurry(self) -> bool:
        """Whether there may be another form that is made in a hurry, and nobody watches."""
        return self._has_hurried_schedule and not self._runner.is_watched

    @property
    def are_maps(self) -> bool:
        """Whether the kernel is nothing but maps."""
        return all(isinstance(op, MapOp) for op in self._nests)

    @property
    def has_maps(self) -> bool:
        """Whether there are maps in the kernel."""
        return any(isinstance(op, MapOp) for op in self._nests)

    def usual(self) -> FuncOp:
        """Return the form that the target runs a kernel in."""
        if self._usual is None:
            self._usual = self._by(self._last)
        return self._usual

    def hurried(self) -> FuncOp:
        """Return a form that takes less time to make; if it takes more to run, it says so."""
        form = self._by(Step(self._last.name, (*self._last.options, ("hurried", True))))
        if HURRIED not in form.attributes:
            self._usual = form
        return form

    def _by(self, step: Step) -> FuncOp:
        module = ModuleOp([self._ready])
        self._runner.run(module, (step,))
        return _only_kernel(module)  # the pass has put it in the place of what it was made of


def _only_kernel(module: ModuleOp) -> FuncOp:
    (kernel,) = module.ops
    assert isinstance(kernel, FuncOp)
    return kernel
