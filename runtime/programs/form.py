"""How is an exported program stored? A header, JSON, and behind it plans and constants as bytes.

Plans are in the form of `execution/sizes_form.py`, as those of the disk cache are. The file is
read as what somebody else wrote: lengths, types and numbers are checked, and what plans do with
memory is proven before they run. It holds machine code, which nothing can prove: it is a program,
and is to be trusted as a shared library is.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from typing import Any, cast

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.dtype import by_name as dtype_by_name
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithError, TrilithValueError
from ...dialects.records import record
from .trees import Tree, checked_tree, count_leaves

MAGIC = b"trilithP"
VERSION = 1
#: magic, version, bytes of JSON, bytes of all that follows, its SHA-256
_HEADER = struct.Struct("<8sIQQ32s")
_MOST_DIMS, _MOST_PLANS, _MOST_LEAVES = 64, 1024, 1 << 16
KINDS = ("bool", "int", "float", "complex")


@record
class StoredDim:
    """A size that may be any number of a range, and where it is found: in a size of an argument.

    Size number `size` of tensor number `tensor` is `factor * value + offset`.
    """

    name: str
    least: int
    most: int | None
    tensor: int
    size: int
    factor: int
    offset: int


@record
class StoredVariant:
    """A plan for some sizes: its bytes, for which dims of 0 or 1 it is, and what is around it.

    `hints` are sizes that it takes, of the dims that are left. `same` are results that are an
    argument or an earlier result, `written` the tensors that it writes to.
    """

    data: bytes
    pins: tuple[tuple[int, int], ...]
    hints: tuple[int, ...]
    result: Tree
    same: tuple[tuple[int, int], ...]
    written: tuple[int, ...]
    guards: tuple[str, ...]


@record
class StoredProgram:
    """All that is stored. `leaves` are the kinds of numbers, and the dtypes of tensors."""

    name: str
    maker: str
    target: str
    needs: tuple[str, ...]
    dims: tuple[StoredDim, ...]
    arguments: Tree
    leaves: tuple[str | DType, ...]
    captured: tuple[tuple[TensorSpec, bytes], ...]
    variants: tuple[StoredVariant, ...]
    #: Whether every size of the ranges was looked at when it was made.
    is_covered: bool
    #: Whether it takes numbers of moderate size alone, which its operations refuse none of.
    is_moderate: bool = False


def encode_program(program: StoredProgram) -> bytes:
    """Return the content of a file."""
    blobs: list[bytes] = []

    def blob(data: bytes) -> int:
        blobs.append(data)
        return len(blobs) - 1

    content = {
        "name": program.name,
        "maker": program.maker,
        "target": program.target,
        "needs": list(program.needs),
        "dims": [
            [dim.name, dim.least, dim.most, dim.tensor, dim.size, dim.factor, dim.offset]
            for dim in program.dims
        ],
        "arguments": program.arguments,
        "leaves": [
            leaf if isinstance(leaf, str) else ["tensor", leaf.name] for leaf in program.leaves
        ],
        "captured": [
            [list(spec.shape), list(spec.strides), spec.dtype.name, spec.is_conj, blob(data)]
            for spec, data in program.captured
        ],
        "variants": [
            {
                "data": blob(variant.data),
                "pins": variant.pins,
                "hints": variant.hints,
                "result": variant.result,
                "same": variant.same,
                "written": variant.written,
                "guards": variant.guards,
            }
            for variant in program.variants
        ],
        "is_covered": program.is_covered,
        "is_moderate": program.is_moderate,
        "blobs": [len(data) for data in blobs],
    }
    text = json.dumps(content, separators=(",", ":")).encode()
    body = b"".join([text, *blobs])
    digest = hashlib.sha256(body).digest()
    return _HEADER.pack(MAGIC, VERSION, len(text), len(body), digest) + body


def decode_program(data: bytes) -> StoredProgram:
    """Read the content of a file, of which nothing is believed.

    Raises TrilithValueError for anything that is not an undamaged program of this version.

    >>> decode_program(b"something else, which is long enough to have a header of its own")
    Traceback (most recent call last):
    trilith.dialects.diagnostics.TrilithValueError: this is no exported program
    """
    try:
        magic, version, text_length, length, digest = _HEADER.unpack_from(data)
    except struct.error:
        raise TrilithValueError("this is no exported program: it is too short") from None
    if magic != MAGIC:
        raise TrilithValueError("this is no exported program")
    if version != VERSION:
        raise TrilithValueError(
            f"the program has form {version}, and this trilith reads {VERSION}",
            hint="export it again with this version",
        )
    body = memoryview(data)[_HEADER.size :]
    if len(body) != length or hashlib.sha256(body).digest() != digest:
        raise TrilithValueError("the exported program is damaged")
    try:
        return _Reader(json.loads(bytes(body[:text_length])), body[text_length:]).program()
    except (*_MALFORMED, TrilithError) as error:
        raise TrilithValueError(f"the exported program is not valid: {error}") from error


#: What reading a file of any content may raise.
_MALFORMED = (KeyError, IndexError, TypeError, ValueError, ArithmeticError, RecursionError)


class _Reader:
    """Reads the JSON of a program, and the bytes behind it."""

    def __init__(self, content: Any, body: memoryview) -> None:
        self.content: dict[str, Any] = _of(dict, content)
        self.body = body
        self.places: list[tuple[int, int]] = []
        start = 0
        for length in _integers(self.content["blobs"], least=0):
            self.places.append((start, start + length))
            start += length
        if start != len(body):
            raise ValueError("what is behind it has another length")

    def program(self) -> StoredProgram:
        """Return the program."""
        content = self.content
        arguments = checked_tree(content["arguments"])
        leaves = tuple(map(_leaf, _list(content["leaves"], _MOST_LEAVES)))
        if count_leaves(arguments) != len(leaves):
            raise ValueError("there are other arguments than its tree has")
        tensors = sum(isinstance(leaf, DType) for leaf in leaves)
        dims = tuple(self._dim(fields, tensors) for fields in _list(content["dims"], _MOST_DIMS))
        captured = tuple(map(self._captured, _list(content["captured"], _MOST_LEAVES)))
        counts = len(dims), tensors + len(captured)
        return StoredProgram(
            name=_of(str, content["name"]),
            maker=_of(str, content["maker"]),
            target=_of(str, content["target"]),
            needs=tuple(_of(str, word) for word in _list(content["needs"], 4096)),
            dims=dims,
            arguments=arguments,
            leaves=leaves,
            captured=captured,
            variants=tuple(
                self._variant(_of(dict, fields), *counts)
                for fields in _list(content["variants"], _MOST_PLANS)
            ),
            is_covered=_of(bool, content["is_covered"]),
            is_moderate=_of(bool, content["is_moderate"]),
        )

    def _blob(self, number: Any) -> bytes:
        (index,) = _integers([number], least=0)
        start, end = self.places[index]
        return bytes(self.body[start:end])

    def _dim(self, fields: Any, tensors: int) -> StoredDim:
        name, least, most, tensor, size, factor, offset = _list(fields, 7)
        found = _integers([least, tensor, size], least=0) + _integers([factor, offset])
        least, tensor, size, factor, offset = found
        if most is not None:
            (most,) = _integers([most], least=least)
        if tensor >= tensors or factor < 1:
            raise ValueError("a dim is no size of an argument")
        return StoredDim(_of(str, name), least, most, tensor, size, factor, offset)

    def _captured(self, fields: Any) -> tuple[TensorSpec, bytes]:
        shape, strides, dtype, is_conj, blob = _list(fields, 5)
        spec = TensorSpec.of(
            _integers(shape, least=0),
            dtype_by_name(_of(str, dtype)),
            strides=_integers(strides, least=0),
            is_conj=_of(bool, is_conj),
        )
        return spec, self._blob(blob)

    def _variant(self, fields: dict[str, Any], dims: int, tensors: int) -> StoredVariant:
        pins = tuple(_pair(pair) for pair in _list(fields["pins"], _MOST_DIMS))
        if any(dim >= dims or value > 1 for dim, value in pins):
            raise ValueError("a dim is pinned that is none, or to another number than 0 and 1")
        hints = _integers(fields["hints"], least=2)
        if len(hints) + len({dim for dim, _ in pins}) != dims or len(set(pins)) != len(pins):
            raise ValueError("a plan is for other dims")
        written = _integers(fields["written"], least=0)
        if any(index >= tensors for index in written):
            raise ValueError("it writes to a tensor that is none")
        return StoredVariant(
            data=self._blob(fields["data"]),
            pins=pins,
            hints=hints,
            result=checked_tree(fields["result"]),
            same=tuple(_pair(pair) for pair in _list(fields["same"], _MOST_LEAVES)),
            written=written,
            guards=tuple(_of(str, word) for word in _list(fields["guards"], _MOST_LEAVES)),
        )


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value


def _list(value: Any, most: int) -> list[Any]:
    found = cast("list[Any]", _of(list, value))
    if len(found) > most:
        raise ValueError(f"more than {most} of a kind")
    return found


def _integers(values: Any, least: int = -(2**63)) -> tuple[int, ...]:
    for value in cast("Sequence[Any]", _of(list, values)):
        if type(value) is not int or not least <= value < 2**63:
            raise ValueError(f"expected an integer of at least {least}")
    return tuple(values)


def _pair(value: Any) -> tuple[int, int]:
    first, second = _integers(value, least=0)
    return first, second


def _leaf(value: Any) -> str | DType:
    if type(value) is str and value in KINDS:
        return value
    word, dtype = _list(value, 2)
    if word != "tensor":
        raise ValueError("an argument is a tensor or a number")
    return dtype_by_name(_of(str, dtype))
