"""What does a program read that asks for a name which does not exist? What to write instead.

PyTorch's own words, then what is known about the name: PyTorch has it and trilith has not, or it
looks like one that exists. All of it is found out when the error is printed, because most of these
errors are only answers to `hasattr`.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from ...dialects.diagnostics import TrilithAttributeError


def missing_member(name: str, owner: str) -> AttributeError:
    """Return the error for an attribute that a tensor, or the class of tensors, does not have."""
    message = f"{owner} has no attribute '{name}'"
    if name.startswith("_"):  # a protocol that somebody asks for, such as NumPy
        return AttributeError(message)
    return TrilithAttributeError(message, name=name, hint=partial(_advise, "on_member", name))


def missing_function(name: str, module: str = "trilith") -> AttributeError:
    """Return the error for a name that a module does not have."""
    message = f"module '{module}' has no attribute '{name}'"
    if name.startswith("_"):
        return AttributeError(message)
    return TrilithAttributeError(message, name=name, hint=partial(_advise, "on_function", name))


def missing_layer(name: str) -> AttributeError:
    """Return the error for a name of `torch.nn`, whose classes of layers are not here."""
    message = f"module 'trilith.nn' has no attribute '{name}'"
    if not name[:1].isupper():
        return missing_function(name, "trilith.nn")
    hint = (
        "classes of layers are not here: keep the weights in tensors, as in a dict, and call the "
        "functions of trilith.nn.functional with them"
    )
    return TrilithAttributeError(message, name=name, hint=hint)


def missing_helper(name: str) -> AttributeError:
    """Return the error for a name of `torch.utils`."""
    message = f"module 'trilith.utils' has no attribute '{name}'"
    return TrilithAttributeError(message, name=name, hint=partial(_advise, "on_helper", name))


def _advise(kind: str, name: str) -> str | None:
    """Load what is known about names, and ask it."""
    advice = import_module(".advice", __package__)
    return getattr(advice, kind)(name)
