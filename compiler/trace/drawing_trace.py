"""What does a trace record of random numbers? Arguments for keys and counters, which calls fill."""

from __future__ import annotations

from typing import Any, ClassVar

from ...dialects.attributes.spec import ScalarSpec
from ...runtime.tensors.generators import Draw, source_of
from .not_traceable import DrawsNumbers
from .scalar_proxies import ScalarProxy


class DrawingTrace:
    """The part of a trace that rows draw with."""

    __slots__ = ()

    #: The language of what writes into tensors, which `writes.py` knows.
    WRITING: ClassVar[type[Any]]
    #: The language of forms for sparse operands.
    SPARSE: ClassVar[type[Any]]
    #: Whether it is a trace of what a form does, not of a function.
    is_of_form: ClassVar[bool] = False
    #: What each call takes from generators of random numbers.
    draws: list[Draw]
    #: Whether it is a function of the user's, not a single step.
    is_program: bool
    scalars: list[ScalarProxy]

    def forget_words(self) -> None:
        """Note that the function does something that has no words."""
        raise NotImplementedError

    def scalar_argument(self, spec: ScalarSpec, name: str | None = None) -> ScalarProxy:
        """Add an argument that is a Python number."""
        raise NotImplementedError

    def draw(self, generator: Any, count: Any, device: Any) -> tuple[ScalarProxy, ScalarProxy]:
        """Return arguments for a key and a counter, which each call takes from a generator."""
        self.forget_words()
        source_of(generator, device)
        if not self.is_program:
            raise DrawsNumbers("random numbers are drawn outside of the plans of single rows")
        self.draws.append(Draw(len(self.scalars), generator, count))
        key, counter = (self.scalar_argument(ScalarSpec("int"), n) for n in ("key", "counter"))
        return key, counter

    def write(self, name: str, target: Any, *arguments: Any, **keywords: Any) -> None:
        """Record the row called `name` and write its result into its first operand."""
        self.WRITING(self).write(name, target, *arguments, **keywords)

    def store(self, target: Any, value: Any) -> None:
        """Record a copy of a value into a tensor, through which no gradient passes."""
        self.WRITING(self).store(target, value)
