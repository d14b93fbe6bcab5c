"""Which mathematical functions are written out as arithmetic, by name?

Their modules hold tables of coefficients: each is loaded when a function of it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ....locks import imported
from ..scalar import Scalar

#: Module -> the functions in it, which are called as the words of the language.
_MODULES = {
    "airy": "airy_ai",
    "arcsine": "acos asin",
    "arctangent": "atan atan2",
    "bessel": "j0 j1 y0 y1",
    "entropies": "entr logaddexp logaddexp2 logit xlog1py xlogy",
    "error_function": "erf erfc gelu_erf",
    "exponential": "exp exp2 expm1",
    "gamma_function": "digamma lgamma trigamma",
    "half_turns": "sinc",
    "hyperbolic": "acosh asinh atanh cosh sinh",
    "logarithm": "log log10 log1p log2",
    "logistic": "gelu_tanh sigmoid silu tanh",
    "modified_bessel": "i0 i0e i1 i1e k0 k0e k1 k1e",
    "normal_distribution": "erfcx erfinv log_ndtr ndtr ndtri",
    "power": "pow",
    "trigonometric": "cos sin spherical_j0 tan",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


class _Expansions(Mapping[str, Callable[..., Scalar]]):
    """The functions by name."""

    def __getitem__(self, name: str) -> Callable[..., Scalar]:
        """Return a function of float32 or float64 scalars, as many as `scalar` says."""
        return getattr(imported(f".{_MODULE_OF[name]}", __package__), name)

    def __contains__(self, name: object) -> bool:
        """Whether a word is written out; nothing is loaded."""
        return name in _MODULE_OF

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(_MODULE_OF)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(_MODULE_OF)


EXPANSIONS = _Expansions()
