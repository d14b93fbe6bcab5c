"""What is known about a name that does not exist? PyTorch's meaning of it, or a likely misspelling.

>>> print(on_function("save"))
PyTorch has torch.save; trilith does not
        write: pickle.dump(x, file)
>>> on_function("softplus")
'it is in a module: trilith.nn.functional.softplus'
>>> on_member("smu")
"did you mean 'sum' or 'sub' or 'smm'?"
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from operator import attrgetter
from typing import Any

from .replacements import OF_UTILS, WORDS
from .torch_names import FUNCTIONS, METHODS, NN_FUNCTIONS

#: Modules of functions, in which a name may stand that is not flat.
_MODULES = ("nn.functional", "linalg", "fft", "special", "sparse")


def on_member(name: str) -> str | None:
    """Return what to say about an attribute that tensors do not have."""
    return _advice(
        name, f"torch.Tensor.{name}" if name in METHODS else _function(name), dir(_face().Tensor)
    )


def on_function(name: str) -> str | None:
    """Return what to say about a name that the module does not have."""
    if not name.startswith("_") and hasattr(_face().Tensor, name):
        return f"it is a method of tensors: x.{name}"
    # Of two things that a name means, what PyTorch's name at this place means is spoken of.
    for module in () if name in WORDS else _MODULES:
        if name in dir(attrgetter(module)(_face())):
            return f"it is in a module: {_face().__name__}.{module}.{name}"
    known = f"torch.Tensor.{name}" if name in METHODS else None
    return _advice(name, _function(name) or known, dir(_face()))


def on_helper(name: str) -> str | None:
    """Return what to say about a part of `torch.utils`."""
    instead = OF_UTILS.get(name)
    if instead is None:
        return _alike(name, dir(_face().utils))
    return f"PyTorch has torch.utils.{name}; {_face().__name__} does not\n        write: {instead}"


def _face() -> Any:
    """Return the module that users import, which is there: who asks has misspelled a name of it."""
    return sys.modules[__name__.partition(".")[0]]


def _function(name: str) -> str | None:
    """Return PyTorch's name of a function."""
    if name in FUNCTIONS:
        return f"torch.{name}"
    return f"torch.nn.functional.{name}" if name in NN_FUNCTIONS else None


def _advice(name: str, known: str | None, names: Iterable[str]) -> str | None:
    """Return the lines of a hint: who has it, and what to write."""
    instead = WORDS.get(name)
    if known is None and instead is None:
        return _alike(name, names)
    lines: list[str] = []
    if known is not None:
        lines.append(f"PyTorch has {known}; {_face().__name__} does not")
    if instead is not None:
        lines.append(f"{'        ' if lines else ''}write: {instead}")
    return "\n".join(lines)


def _alike(name: str, names: Iterable[str]) -> str | None:
    """Return the names that this one may be a misspelling of."""
    public = [found for found in names if not found.startswith("_")]
    found = get_close_matches(name, public, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(map(repr, found))}?" if found else None
