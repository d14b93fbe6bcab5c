"""Does a program that was traced on symbols hold for other sizes, and is its text read back?

- text: what is printed of the traced and the lowered program is read back as the same text;
- passes: what is read back is lowered to the same text as the traced program;
- specialized: with numbers for its symbols the traced program is the one that is traced at those
  sizes: the interpreter of tensor operations gives the same bits, shapes and strides of both;
- kernels: so with the lowered program, and what the library computes operation by operation;
- fault: what raises by its values operation by operation raises the same in all of them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp

import trilith as tri
from trilith.compiler.driver import Traced
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.passes.tensors.specialize import SpecializePass
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.cpu import CPU
from trilith.compiler.tools.located_parser import LocatedParser
from trilith.compiler.tools.trilith_opt import XDSL_DIALECTS
from trilith.compiler.tools.universe import TRILITH_UNIVERSE
from trilith.dialects.tri.sizes import verifying
from trilith.dialects.tri.types import TensorType

from ..values.properties import Array, Failure, array_of, attempt, first_difference

#: At how many other sizes a program is run.
VARIANTS = 4
#: How sizes are refused: by a guard, or as they may make others that no kernel counts with.
_REFUSALS = ("does not pass the guard", "not all sizes fit into 64 bits")
_LINES = re.compile(r" origins \[[^\]]*\]")
#: Numbers that sizes and strides become.
_NUMBERS = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 17, 20, 33)


@dataclass(slots=True)
class SizesTally:
    """What was checked."""

    programs: int = 0
    #: Programs that could be traced on symbols, and texts that were read back.
    symbolic: int = 0
    texts: int = 0
    #: Sizes that passed the guards, and those that did not.
    passed: int = 0
    refused: int = 0

    def add(self, other: SizesTally) -> None:
        """Count another tally's checks too."""
        self.programs += other.programs
        self.symbolic += other.symbolic
        self.texts += other.texts
        self.passed += other.passed
        self.refused += other.refused


#: Sizes that are drawn anew make products larger than anybody wants to wait for, or to hold.
MOST_ELEMENTS = 1_000_000


def _context() -> Context:
    context = Context()
    known = get_all_dialects()
    for name in XDSL_DIALECTS:
        context.register_dialect(name, known[name])
    for name, factory in TRILITH_UNIVERSE.all_dialects.items():
        context.register_dialect(name, factory)
    return context


_CONTEXT = _context()


def check(
    function: Callable[..., Any], arguments: Sequence[Any], seed: object, tally: SizesTally
) -> None:
    """Check a function of tensors and numbers; raises Failure."""
    found = check_texts(function, arguments, tally)
    if found is None:
        return
    traced, lowered = found
    random = Random(f"{seed}")
    for variant in range(VARIANTS):
        others = list(arguments) if not variant else _resized(arguments, random)
        if others is not None:
            _check_sizes(function, traced, lowered, others, tally)


def check_texts(
    function: Callable[..., Any], arguments: Sequence[Any], tally: SizesTally
) -> tuple[Traced, ModuleOp] | None:
    """Check what is printed of a function; None if it cannot be traced, or has no symbols."""
    tally.programs += 1
    try:
        tri.trace(function, *arguments).lower()
    except (tri.TrilithError, AttributeError):
        return None
    traced = attempt("trace", lambda: tri.trace(function, *arguments, static_shapes=False))
    if traced.env is None or not traced.env.hints:
        return None
    tally.symbolic += 1
    text = str(traced.module)
    again = attempt("text", lambda: _read(text))
    _same_text("text", text, str(again))
    lowered = attempt("lower", traced.lower).module
    below = str(lowered)
    _same_text("lowered text", below, str(attempt("lowered text", lambda: _read(below))))
    attempt("passes", lambda: Runner(traced.name).run(again, CPU.function))
    # The user's lines are those of the text then.
    _same_text("passes", _LINES.sub("", below), _LINES.sub("", str(again)))
    tally.texts += 2
    return traced, lowered


def _read(text: str) -> ModuleOp:
    found = LocatedParser(_CONTEXT, text, "program.mlir").parse_module()
    with verifying(found):
        found.verify()
    return found


def _same_text(kind: str, text: str, again: str) -> None:
    for line, other in itertools.zip_longest(text.splitlines(), again.splitlines()):
        if line != other:
            raise Failure(kind, f"{line}\nis read back as\n{other}")


def _resized(arguments: Sequence[Any], random: Random) -> list[Any] | None:
    """Return arguments of the same patterns with other numbers: equal ones stay equal."""
    tensors = [x for x in arguments if isinstance(x, tri.Tensor)]
    numbers = {number for x in tensors for number in x.spec.numbers}
    renamed = {n: n if random.random() < 0.4 else random.choice(_NUMBERS) for n in sorted(numbers)}
    found: list[Any] = []
    for x in arguments:
        if not isinstance(x, tri.Tensor):
            found.append(x)
            continue
        spec = x.spec
        shape = tuple(renamed.get(size, size) for size in spec.shape)
        strides: Any = None
        if len(spec.numbers) > sum(size > 1 for size in spec.shape):
            strides = tuple(renamed.get(stride, stride) for stride in spec.strides)
        new = tri.TensorSpec.of(shape, spec.dtype, spec.device, strides)
        if new.pattern is not spec.pattern:
            return None
        found.append(made(new, x))
    return found


def made(spec: tri.TensorSpec, like: tri.Tensor) -> tri.Tensor:
    """Return a tensor with elements that another one has."""
    extent = 1 + sum((n - 1) * s for n, s in zip(spec.shape, spec.strides, strict=True))
    known = array_of(like).reshape(-1)
    flat = np.resize(known, extent if spec.numel else 0)
    memory = tri.from_numpy(flat.copy()).untyped_storage()
    return tri.Tensor(memory, spec, 0)


def _check_sizes(
    function: Callable[..., Any],
    traced: Traced,
    lowered: ModuleOp,
    arguments: Sequence[Any],
    tally: SizesTally,
) -> None:
    tensors = [x for x in arguments if isinstance(x, tri.Tensor)]
    scalars = [x for x in arguments if not isinstance(x, (tri.Tensor, bool))]
    numbers = [number for x in tensors for number in x.spec.numbers]
    assert traced.env is not None
    # Lowering may have asked for more than tracing has.
    step = SpecializePass(tuple(zip(traced.env.hints, numbers, strict=True)))
    modules = (traced.module.clone(), lowered.clone())
    try:
        for module in modules:
            step.apply(_CONTEXT, module)
    except tri.TrilithError as error:
        if all(words not in str(error) for words in _REFUSALS):
            raise Failure("specialize", str(error)) from error
        tally.refused += 1
        return
    tally.passed += 1
    for module in modules:
        attempt("specialize", module.verify)
        if "tri.symbols" in str(module) or "#tri.size" in str(module):
            raise Failure("specialize", f"symbols are left:\n{module}")
    arrays = [x.numpy() for x in tensors]
    own = attempt("own sizes", lambda: tri.trace(function, *arguments))
    if _most_elements(own.module) > MOST_ELEMENTS:
        return
    try:
        given = function(*arguments)
    except tri.TrilithError as error:
        for kind, module in (("own sizes", own.module), ("specialized", modules[0])):
            _check_fault(kind, module, arrays, scalars, error.message)
        _check_fault("kernels", modules[1], arrays, scalars, error.message)
        return
    known = _interpreted("own sizes", own.module, arrays, scalars)
    _compare("specialized", _interpreted("specialized", modules[0], arrays, scalars), known)
    eager = [array_of(x) for x in given]
    _compare("kernels", _interpreted("kernels", modules[1], arrays, scalars), eager, strides=False)


def _most_elements(module: ModuleOp) -> int:
    """Return how many elements the largest tensor of a function has."""
    types = [result.type for op in module.walk() for result in op.results]
    return max((kind.data.numel for kind in types if isinstance(kind, TensorType)), default=0)


def _check_fault(
    kind: str, module: ModuleOp, arrays: Sequence[Array], scalars: Sequence[Any], message: str
) -> None:
    try:
        interpret_function(module, arrays, scalars)
    except tri.TrilithError as error:
        if error.message != message:
            raise Failure("fault", f"{kind} raises {error.message}, not {message}") from error
    else:
        raise Failure("fault", f"{kind} does not raise {message}")


def _interpreted(
    kind: str, module: ModuleOp, arrays: Sequence[Array], scalars: Sequence[Any]
) -> list[Array]:
    return attempt(kind, lambda: interpret_function(module, arrays, scalars))


def _compare(
    kind: str, ours: Sequence[Array], theirs: Sequence[Array], *, strides: bool = True
) -> None:
    for left, right in zip(ours, theirs, strict=True):
        place = first_difference(left, right)
        if place is not None:
            raise Failure(kind, f"{left!r}\nmust be\n{right!r}")
        if strides and left.strides != right.strides:
            raise Failure(kind, f"strides {left.strides} must be {right.strides}")
