"""What does a function do, in words that other processes know it by? The text of its tape.

A line is an operation: the row, its operands by number, static values as they are spelled. Tensors
of the enclosing program that the function uses are numbered, too. A trace writes the text beside
the IR; a tape (`tape.py`) writes the same text and nothing else. What has no words leaves no text.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.device import Device, cpu, placement
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.attributes.symint import SymInt
from ...runtime.tensors.size import Size
from ...runtime.tensors.tensor import Tensor

#: Values that are told apart by their types and texts.
_PLAIN = frozenset((int, float, bool, str, complex, type(None), type(Ellipsis)))
_NAMED = frozenset((DType, Device, Layout, MemoryFormat))
_BRACKETS = {tuple: "()", Size: "()", list: "[]"}

#: Lines of a tape: a longer function is not worth its key.
MOST_LINES = 20_000


class NoWords(Exception):
    """A value has no words."""


def _marked(number: int) -> str:
    """Return what stands for a size in a line; no other text holds the character."""
    return f"\0{number}\0"


class TapeText:
    """The text of one function, as far as it is recorded."""

    __slots__ = ("_count", "_lines", "_refs", "_sizes", "captured", "is_whole")

    def __init__(self) -> None:
        """Begin with nothing."""
        #: By identity what stands-ins and captured tensors are called; none of them goes meanwhile.
        self._refs: dict[int, tuple[str, Any]] = {}
        self._count = 0
        #: Sizes that stand in the lines, by number.
        self._sizes: list[SymInt] = []
        self._lines: list[str] = []
        #: Tensors of the enclosing program, in the order in which the text names them.
        self.captured: list[Tensor] = []
        #: Whether the text says all that was recorded.
        self.is_whole = True

    def add_stand_in(self, stand_in: Any) -> None:
        """Number an argument, a tensor or a number, or the result of an operation."""
        self._refs[id(stand_in)] = f"%{self._count}", stand_in
        self._count += 1

    def add_captured(self, tensor: Tensor, stand_in: Any = None) -> str:
        """Number a tensor of the enclosing program, and what stands for it."""
        name = f"@{len(self.captured)}"
        self.captured.append(tensor)
        self._refs[id(tensor)] = name, tensor
        if stand_in is not None:
            self._refs[id(stand_in)] = name, stand_in
        return name

    def knows(self, stand_in: Any) -> bool:
        """Whether something stands for a tensor or a number of the text."""
        return id(stand_in) in self._refs and type(stand_in) is not Tensor

    def forget(self) -> bool:
        """Give up what the text names, and tell whether somebody else has kept a part of it.

        A function that stores its stand-ins away shows them to others: they must be those of a
        trace then, which know what they are.
        """
        held = [weakref.ref(part) for _, part in self._refs.values() if type(part) is not Tensor]
        self._refs.clear()
        self.captured.clear()
        return any(reference() is not None for reference in held)

    def has_writes(self) -> bool:
        """Whether anything was written to what the text names: a name then means two values."""
        buffers = [getattr(stand_in, "buffer", None) for _, stand_in in self._refs.values()]
        return any(buffer is not None and buffer.writes for buffer in buffers)

    def tells(
        self, row: str, arguments: Sequence[Any], keywords: Mapping[str, Any], result: Any
    ) -> bool:
        """Add an operation with one result, or a tuple of some, all of them new.

        Return whether there are words for all of it.
        """
        results = cast("tuple[Any, ...]", result) if type(result) is tuple else (result,)
        if placement() is not cpu or len(self._lines) >= MOST_LINES:
            return False
        if any(map(self.knows, results)):
            return False
        try:
            words = [self._spelled(value) for value in arguments]
            words += [f"{name}={self._spelled(value)}" for name, value in keywords.items()]
        except NoWords:
            return False
        count = "" if results is not result else f" -> {len(results)}"
        self._lines.append(f"{row}({', '.join(words)}){count}")
        for each in results:
            self.add_stand_in(each)
        return True

    def text(self, results: Sequence[Any], *, is_fixed: bool = False) -> str | None:
        """Return the text of a function that returns these, if there are words for all of it.

        Sizes stand in it as expressions, or as the numbers that they are now if it `is_fixed`.
        """
        if not self.is_whole or not all(map(self.knows, results)):
            return None
        names = [self._spelled(result) for result in results]
        text = "\n".join([*self._lines, f"return {', '.join(names)}"])
        for number, size in enumerate(self._sizes):
            text = text.replace(_marked(number), str(size.hint) if is_fixed else f"<{size!r}>")
        return text

    def _spelled(self, value: Any) -> str:
        found = self._refs.get(id(value))
        if found is not None:
            return found[0]
        kind = cast("Any", type(value))
        if kind in _PLAIN:
            return repr(value)
        brackets = _BRACKETS.get(kind)
        if brackets is not None:
            return f"{brackets[0]}{', '.join(map(self._spelled, value))}{brackets[1]}"
        if kind is SymInt:
            self._sizes.append(value)
            return _marked(len(self._sizes) - 1)
        if kind is slice:
            parts = (value.start, value.stop, value.step)
            return f"slice({', '.join(map(self._spelled, parts))})"
        if kind in _NAMED:
            return f"{kind.__name__}:{value}"
        if kind is not Tensor:
            raise NoWords
        return self.add_captured(value)
