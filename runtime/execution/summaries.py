"""How does a program show itself at a prompt? What it takes and gives, in a line.

Specs are short here: `float32[4, 3]`, and what is unusual about one after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from ...dialects.attributes.device import cpu
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import strided
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.attributes.strides import contiguous_strides
from .artifact_fields import ArtifactFields

#: How many arguments or names are shown, and how many letters of a line.
SHOWN = 4
WIDTH = 100


def spell_spec(spec: TensorSpec | ScalarSpec | DType) -> str:
    """Return a spec in a few words.

    >>> from trilith.dialects.attributes.dtype import by_name
    >>> spell_spec(TensorSpec.of((3, 2), by_name("uint8"))), spell_spec(ScalarSpec("int"))
    ('uint8[3, 2]', 'int')
    """
    if isinstance(spec, DType):
        return spec.name
    if isinstance(spec, ScalarSpec):
        return spec.kind
    parts = [f"{spec.dtype.name}[{_some(map(str, spec.shape), 8)}]"]
    if spec.layout is not strided:
        parts.append(str(spec.layout))
    elif spec.strides != contiguous_strides(spec.shape):
        parts.append(f"strides [{_some(map(str, spec.strides), 8)}]")
    if spec.is_conj:
        parts.append("conj")
    if spec.device is not cpu:
        parts.append(f"on {spec.device}")
    return " ".join(parts)


def spell_signature(
    name: str,
    inputs: Sequence[TensorSpec | ScalarSpec | DType],
    outputs: Sequence[TensorSpec | ScalarSpec | DType],
) -> str:
    """Return what a program takes and gives.

    >>> spell_signature("f", [ScalarSpec("int")] * 9, [ScalarSpec("float")])
    'f(int, int, int, int, 5 more) -> float'
    """
    given = _some(map(spell_spec, outputs), SHOWN)
    result = given if len(outputs) == 1 else f"({given})"
    return f"{_short(name)}({_some(map(spell_spec, inputs), SHOWN)}) -> {result}"


def artifact_summary(artifact: ArtifactFields) -> str:
    """Return what an artifact takes and gives, and how much it runs."""
    outputs = [output.spec for output in artifact.outputs]
    signature = spell_signature(artifact.name, [*artifact.inputs, *artifact.scalars], outputs)
    kernels = spell_names([kernel.name for kernel in artifact.kernels], "kernel")
    return f"{signature}, {kernels}, {counted(len(artifact.launches), 'launch')}"


def spell_names(names: Sequence[str], what: str) -> str:
    """Return how many there are, and the first names.

    >>> spell_names(["add_0"], "kernel"), spell_names([], "kernel")
    ('1 kernel (add_0)', '0 kernels')
    """
    shown = f" ({_some(map(_short, names), SHOWN)})" if names else ""
    return f"{counted(len(names), what)}{shown}"


def counted(number: int, what: str) -> str:
    """Return a number of things.

    >>> counted(1, "launch"), counted(20000, "launch")
    ('1 launch', '20,000 launches')
    """
    ending = "" if number == 1 else "es" if what.endswith("ch") else "s"
    return f"{number:,} {what}{ending}"


def _some(words: Iterable[str], most: int) -> str:
    rest = iter(words)
    shown = list(islice(rest, most))
    left = sum(1 for _ in rest)
    return ", ".join([*shown, f"{left} more"] if left else shown)


def _short(name: str) -> str:
    return name if len(name) <= WIDTH // 2 else f"{name[: WIDTH // 2 - 3]}..."
