"""Are the gradients of trilith those of torch, on torch's own samples of an operation?

A mode says how they are taken: backward(), a compiled `func.grad`, gradients of gradients,
`func.jvp`, `func.vmap` of results and of `func.grad`.
"""

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch

from ..answers import message_of
from . import problems
from .comparison import Difference, compare, judge_error
from .library import Unsupported, described, quiet
from .problems import Problem, lifted, plain
from .samples import Case, Entry, summary

#: What a library says of an operation that it cannot differentiate: torch's RuntimeError.
WITHOUT_DERIVATIVE = re.compile(r"derivative for \S+ is not implemented")

#: The dtypes of which gradients are compared, unless others are named.
DTYPES = ("float64", "complex128")


@dataclass(frozen=True, slots=True)
class Mode:
    """How gradients are taken, of trilith and of torch, and what is compared.

    `supported` is the field of an OpInfo that says whether torch can.
    """

    run: Callable[[Problem], Any]
    of_torch: Callable[[Problem], Any]
    supported: str
    has_strides: bool = False
    is_strict: bool = False


#: `.grad` has the strides of its leaf, and errors are torch's; strides of other gradients are what
#: its formulas happen to give, and where a transform of torch's lacks an operation, any answer is
#: right.
MODES: dict[str, Mode] = {
    "gradients": Mode(
        *(problems.by_backward, problems.by_backward, "supports_autograd"),
        has_strides=True,
        is_strict=True,
    ),
    "compiled-gradients": Mode(problems.by_compiled_grad, problems.by_grad, "supports_autograd"),
    "second-gradients": Mode(
        problems.by_grad_of_grad, problems.by_grad_of_grad, "supports_gradgrad"
    ),
    "jvp": Mode(problems.by_jvp, problems.by_jvp, "supports_forward_ad"),
    "vmap": Mode(problems.by_vmap, problems.by_vmap, "supports_autograd"),
}


def random_like(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Return random values with the shape and dtype of a tensor."""
    return torch.randn(tensor.shape, dtype=tensor.dtype, generator=generator)


@dataclass
class GradientCase(Case):
    """One sample of one operation and dtype, of which gradients are taken."""

    requires_grad: ClassVar[bool] = True

    @classmethod
    def has_samples(cls, entry: Entry, dtype: torch.dtype, modes: Sequence[str]) -> bool:
        """Whether torch has gradients of an operation, for a dtype, in one of the modes."""
        return dtype in entry.operation.supported_backward_dtypes("cpu") and any(
            getattr(entry.operation, MODES[mode].supported) for mode in modes
        )

    def prepare(self) -> Any:
        """Build nothing: what is run is not the operation."""

    def problem(self) -> Problem | None:
        """Return what torch differentiates; None if no result of the sample has gradients."""
        given = self.sample.input, tuple(self.sample.args), dict(self.sample.kwargs)
        found, arguments = lifted(given)
        wrt = tuple(number for number, each in enumerate(found) if each.requires_grad)
        process = self.sample.output_process_fn_grad
        tensors = [plain(each) for each in found]
        function = self.entry.operation.op
        problem = Problem(torch, function, process, arguments, tensors, wrt)
        flat, error = quiet(problem.flat, problem.leaves())
        if error is not None:
            return None  # refusals are compared where operations are
        results = tuple(
            number
            for number, each in enumerate(flat)
            if isinstance(each, torch.Tensor) and each.requires_grad
        )
        if not results or any(
            each.layout is not torch.strided for each in [*tensors, *flat_of(flat)]
        ):
            return None
        seed = zlib.crc32(f"{self.entry.name} {self.dtype} {self.shown}".encode())
        generator = torch.Generator().manual_seed(seed)
        return Problem(
            *(torch, function, process, arguments, tensors, wrt, results),
            cotangents=[random_like(flat[number], generator) for number in results],
            tangents=[random_like(tensors[number], generator) for number in wrt],
        )

    def run(self, modes: Sequence[str]) -> None:
        """Take gradients in all modes, with torch and with the library."""
        self.shown = summary(self.given())
        problem = self.problem()
        if problem is None:
            return
        for name in modes:
            mode = MODES[name]
            if getattr(self.entry.operation, mode.supported):
                mine, error = quiet(problem.of, self.library, self.function)
                got = (None, error) if error is not None else quiet(mode.run, mine)
                kind, detail = self.judged(mode, problem, got)
                self.note(kind, name, detail)

    def judged(self, mode: Mode, problem: Problem, got: tuple[Any, Exception | None]) -> Difference:
        """Return the kind of this case, and what differs."""
        wanted = quiet(mode.of_torch, problem)
        if wanted[1] is not None and mode.is_strict:
            return judge_error(wanted[1], got[1])
        if wanted[1] is not None:
            return ("beyond-torch" if got[1] is None else "ok-error"), described(wanted[1])
        if isinstance(got[1], (Unsupported, NotImplementedError)) or (
            got[1] is not None and WITHOUT_DERIVATIVE.match(message_of(got[1]))
        ):
            return "unsupported", described(got[1])
        if got[1] is not None:
            return "unexpected-error", described(got[1])
        difference, error = quiet(
            compare,
            *(self.library, wanted[0], got[0], self.scale(), self.has_defined_values(problem)),
            with_strides=mode.has_strides,
        )
        if error is not None:
            return "structure", f"reading the gradients raised {described(error)}"
        return difference or ("pass", "")

    def has_defined_values(self, problem: Problem) -> bool:
        """Whether values are no random numbers, and none of equal elements is chosen freely."""
        if not self.has_values():
            return False
        chosen = problem.chosen(problem.tensors)
        return "ties" not in self.entry.flags or all(
            each.is_complex() or each.unique().numel() == each.numel() for each in chosen
        )


def flat_of(results: Sequence[Any]) -> list[torch.Tensor]:
    """Return the tensors among results."""
    return [each for each in results if isinstance(each, torch.Tensor)]
