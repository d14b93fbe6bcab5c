"""What does an operation do with sparse_coo operands? A form beside its row, Python over parts.

A form is called with the arguments of its row by name, in a language that takes sparse tensors
apart and makes them: what it computes is said with rows on indices and values. `FORMS` has one for
each row that takes sparse operands; a row without one refuses them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ...records import field, record
from .gradients import Gradient
from .indexed import WritingLanguage

Ints = tuple[int, ...]


@record(eq=False)
class Parts:
    """A sparse tensor, taken apart: indices are sparse_dim x nnz, values nnz x dense sizes.

    `is_coalesced` says that the indices are known to be sorted and all different.
    """

    indices: Any
    values: Any
    shape: Ints
    is_coalesced: bool


class SparseLanguage(WritingLanguage, Protocol):
    """A language with sparse tensors."""

    def parts(self, value: Any) -> Parts | None:
        """Take a sparse tensor apart; None for anything else."""
        ...

    def sparse(self, parts: Parts) -> Any:
        """Make a sparse tensor of its parts."""
        ...

    def hold(self, target: Any, parts: Parts) -> None:
        """Give a sparse tensor other parts, in place."""
        ...


@record(eq=False)
class SparseForm:
    """What a row does with sparse operands.

    `run(t, **arguments)` is the result, `write(t, **arguments)` writes it into the first operand,
    which the method that writes returns; there is no such method without it. `gradient` is the rule
    of its gradients, as a row has one; without one they are refused. A form that `is_stepwise`
    calls rows that have rules; one that `is_of_values` computes values of the coalesced ones, so
    that its rule is that of the row, at their places.
    """

    run: Callable[..., Any]
    write: Callable[..., Any] | None = field(default=None)
    gradient: Gradient | None = None
    is_stepwise: bool = False
    is_of_values: bool = False


#: By the names of their rows.
FORMS: dict[str, SparseForm] = {}


def sparse_form(
    *names: str,
    write: Callable[..., Any] | None = None,
    gradient: Gradient | None = None,
    is_stepwise: bool = False,
    is_of_values: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that makes a function the form of rows."""

    def register(run: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            FORMS[name] = SparseForm(run, write, gradient, is_stepwise, is_of_values)
        return run

    return register
