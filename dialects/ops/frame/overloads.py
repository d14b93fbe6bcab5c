"""What is said of a call that is none of a function's forms?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...attributes.device import Device
from ...attributes.dtype import DType
from ...attributes.memory_format import MemoryFormat
from ...attributes.spec import TensorSpec
from ...diagnostics import TrilithTypeError

_WORDS: dict[type, str] = {
    DType: "trilith.dtype",
    Device: "trilith.device",
    MemoryFormat: "trilith.memory_format",
}


def is_tensor(value: object) -> bool:
    """Whether an argument is a tensor, or stands for one while tracing."""
    return isinstance(getattr(value, "spec", None), TensorSpec)


def is_array(value: object) -> bool:
    """Whether an argument is a tensor, or an array that becomes one."""
    return is_tensor(value) or hasattr(value, "__dlpack__")


def no_such_form(
    name: str, arguments: Sequence[Any], keywords: Mapping[str, Any], forms: str
) -> TrilithTypeError:
    """Return PyTorch's error for arguments that fit none of the forms, which end its text.

    >>> no_such_form("max", (1.5,), {"keepdim": True}, " ...").message
    'max() received an invalid combination of arguments - got (float, keepdim=bool), but expected \
one of: ...'
    """
    got = [kind_of(value) for value in arguments]
    # PyTorch names the keywords from the last to the first, with a comma after the only ones.
    got += [f"{key}={kind_of(keywords[key])}" for key in reversed(list(keywords))]
    text = ", ".join(got) + (", " if keywords and not arguments else "")
    return TrilithTypeError(
        f"{name}() received an invalid combination of arguments - got ({text}), "
        f"but expected one of:{forms}"
    )


def kind_of(value: object) -> str:
    """Return what PyTorch's texts call an argument's type."""
    return "Tensor" if is_tensor(value) else _WORDS.get(type(value), type(value).__name__)
