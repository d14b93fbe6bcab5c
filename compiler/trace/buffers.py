"""What happens to the memory of a traced tensor when the program writes to it or to a view of it?

The IR knows values, not memory. A `Buffer` stands for the memory that a tensor and its views share:
the value it began with, and the writes since. A tensor that is read afterwards is looked up there:
if the last write that touches its window wrote exactly that window, it is what was written; if no
write touches it, it is still a view of the first value; else the writes are applied to a copy of
the whole (`tri.put_window`). At the end of the function the writes to its arguments become
`tri.write` operations, and whatever the function returns of that memory is a view of the argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.ir import BlockArgument, SSAValue

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.extents import check_bounds, storage_extent
from ...dialects.attributes.reshape import view_dtype
from ...dialects.attributes.spans import LastTouch
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import is_non_overlapping_and_dense
from ...dialects.attributes.views import Strided
from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.ops.frame.argument_values import AttributeValue
from ...dialects.ops.frame.opspec import ViewOp
from ...dialects.ops.rows.views.storage_views import CONJ_VIEW, STRIDED_VIEW
from ...dialects.records import field, record
from ...dialects.tri.ops import ViewOperation, tensor_spec
from .active import ActiveTrace
from .not_traceable import NotTraceable

#: A view as it was recorded: the row and its canonical attributes.
Step = tuple[ViewOp, dict[str, AttributeValue]]
Path = tuple[Step, ...]

assert isinstance(CONJ_VIEW, ViewOp)
assert isinstance(STRIDED_VIEW, ViewOp)
_STRIDED_VIEW: ViewOp = STRIDED_VIEW

#: How many views of views are recorded one by one.
LONGEST_PATH = 32

#: The path of an argument whose memory holds the conjugates of its elements.
CONJ: Path = ((CONJ_VIEW, {}),)


class Recorder(ActiveTrace, Protocol):
    """Records operations on values: what memory and stand-ins need of their trace."""

    @property
    def arguments(self) -> Sequence[object]:
        """What stands for the tensors that are given to the function."""
        ...

    def forget_words(self) -> None:
        """Note that the function does something that has no words."""
        ...

    def offset_of(self, argument: SSAValue) -> int | None:
        """Return the storage offset of an argument, None if the function is made for any."""
        ...

    def emit(
        self,
        name: str,
        values: Sequence[tuple[SSAValue, TensorSpec]],
        **attributes: AttributeValue,
    ) -> tuple[SSAValue, TensorSpec]:
        """Record a row and return its result."""
        ...


@record
class Window:
    """A part of a memory: sizes, strides and offset in elements of a dtype.

    Of a part that `is_conj` the memory holds the conjugates.
    """

    view: Strided
    dtype: DType
    is_conj: bool = False

    @staticmethod
    def of(spec: TensorSpec, path: Path) -> Window:
        """Return the part that a path of views sees of a memory."""
        view, dtype, is_conj = Strided(spec.shape, spec.strides, 0), spec.dtype, False
        for row, attributes in path:
            is_conj = is_conj is not row.is_conj
            current = TensorSpec.of(view.shape, dtype, spec.device, view.strides)
            view = row.apply(view, attributes)
            dtype = dtype if row.dtype is None else row.dtype(current, attributes)
        return Window(view, dtype, is_conj)

    @property
    def span(self) -> tuple[int, int]:
        """The bytes between which the part lies."""
        shape, strides, offset = self.view
        reach = storage_extent(shape, strides)
        itemsize = self.dtype.itemsize
        return offset * itemsize, (offset + reach) * itemsize


@record
class Write:
    """A value that took the place of a part of a memory."""

    path: Path
    window: Window
    value: SSAValue
    spec: TensorSpec


@record(frozen=False, eq=False)
class Buffer:
    """The memory of a traced tensor: `origin` is its first value, `writes` what came after.

    `spec` says what lies in the memory: it is not `conj`, even if an argument is. `version` counts
    the writes; a reader that has seen the current one is up to date.
    """

    origin: SSAValue
    spec: TensorSpec
    writes: list[Write] = field(default_factory=list[Write])
    #: Which bytes which of the writes touched last.
    touched: LastTouch = field(default_factory=LastTouch)
    version: int = 0
    #: Whether several tensors look at the memory.
    is_viewed: bool = False
    #: What the memory holds after the first `applied` of the writes.
    whole: SSAValue | None = None
    applied: int = 0
    #: For a part that an index tensor names: the memory it would be a view of, and its version.
    follows: tuple[Buffer, int] | None = None

    def shortened(self, path: Path) -> Path:
        """Return a path, or one step in the place of many: each reader follows them all."""
        is_long = len(path) > LONGEST_PATH
        if not is_long or any(row.is_conj or row.dtype is not None for row, _ in path):
            return path
        if not is_non_overlapping_and_dense(self.spec.shape, self.spec.strides):
            return path
        view = Window.of(self.spec, path).view
        return (
            (_STRIDED_VIEW, {"size": view.shape, "stride": view.strides, "offset": view.offset}),
        )

    def check_followed(self) -> None:
        """Refuse to go on where the copy of a part differs from the view that it stands for."""
        if self.follows is not None and self.follows[0].version != self.follows[1]:
            raise NotTraceable(
                "a tensor is written to after a part of it was taken by a 0-dim index tensor"
            )

    def write(self, path: Path, value: SSAValue, spec: TensorSpec, record: Recorder) -> None:
        """Note that a value of the path's shape and dtype is written to what the path sees."""
        if self.follows is not None:
            raise NotTraceable("a part that a 0-dim index tensor names is written to")
        if Window.of(self.spec, path).is_conj:
            value, spec = record.emit("conj_elements", [(value, spec)])
        elif spec.is_conj:
            # What is read again is what the memory holds, which is no conjugate view.
            held = record.emit("conj_view", [(value, spec)])
            value, spec = record.emit("conj_elements", [held])
        path = _without_conj(path)
        window = Window.of(self.spec, path)
        self.version += 1
        if not path:
            self._forget_elements()
        self._note(Write(path, window, value, spec))

    def _forget_elements(self) -> None:
        """Forget the writes of which nothing is left once all elements are written anew."""
        kept = [write for write in self.writes if self._sees_gaps(write.path)]
        self.writes, self.whole, self.applied = [], None, 0
        self.touched = LastTouch()
        for write in kept:
            self._note(write)

    def _note(self, write: Write) -> None:
        """Add the last of the writes."""
        self.touched.touch(*write.window.span, len(self.writes))
        self.writes.append(write)

    def read(self, path: Path, spec: TensorSpec, record: Recorder) -> SSAValue:
        """Return the value that the path sees now, laid out as `spec` says."""
        if spec.is_conj:
            held = spec.conjugated(False)
            value = self.read(_without_conj(path), held, record)
            return record.emit("conj_view", [(value, held)])[0]
        path = _without_conj(path)
        window = Window.of(self.spec, path)
        number = self.touched.last(*window.span)
        if number is not None:
            write = self.writes[number]
            if write.window == window:
                return _laid_out(write.value, write.spec, spec, record)
            self._refuse_gaps(path)
            return _follow(self.whole_value(record), self.spec, path, record)
        return _follow(self.first_value(record), self.spec, path, record)

    def first_value(self, record: Recorder) -> SSAValue:
        """Return what the memory holds before all writes."""
        spec = tensor_spec(self.origin)
        return record.emit("conj_view", [(self.origin, spec)])[0] if spec.is_conj else self.origin

    def _refuse_gaps(self, path: Path) -> None:
        """Refuse to look between the elements of an argument after a write: values have no gaps."""
        if self._sees_gaps(path):
            raise NotTraceable("a traced function looks at memory between the elements of a tensor")

    def _sees_gaps(self, path: Path) -> bool:
        """Whether a path may see memory between the elements."""
        if is_non_overlapping_and_dense(self.spec.shape, self.spec.strides):
            return False
        return any(row.is_of_storage and row.dtype is None for row, _ in path)

    def whole_value(self, record: Recorder) -> SSAValue:
        """Return the value of the whole memory after all writes."""
        value = self.first_value(record) if self.whole is None else self.whole
        for write in self.writes[self.applied :]:
            if 0 in write.window.view.shape:
                continue  # no element is written, wherever the part would begin
            if not write.path:
                value = _laid_out(write.value, write.spec, self.spec, record)
            else:
                value = _replace_part(value, self.spec, write, record)
        self.whole, self.applied = value, len(self.writes)
        return value

    def view_of(self, value: SSAValue, path: Path, record: Recorder) -> SSAValue:
        """Return what the path sees of another value of the whole memory."""
        return _follow(value, self.spec, path, record)


def refuse_outside(buffer: Buffer, path: Path) -> None:
    """Refuse a view of more than a tensor's own memory; that of an argument may be larger."""
    window = _window_in(buffer, path)
    start, end = window.span
    nbytes = storage_extent(buffer.spec.shape, buffer.spec.strides) * buffer.spec.dtype.itemsize
    if start >= 0 and end <= nbytes:
        return
    if isinstance(buffer.origin, BlockArgument):
        raise NotTraceable(
            "a traced function looks at memory outside of the tensor that it was given",
            hint="give it the whole tensor instead of a part",
        )
    shape, strides, offset = window.view
    check_bounds(shape, strides, offset, window.dtype.itemsize, nbytes)


def _window_in(buffer: Buffer, path: Path) -> Window:
    """Return what a path sees, if that is whole elements from where the memory begins.

    The row has asked for the place in the storage. Who is given a part that begins in the middle of
    a larger element may well look at larger ones that begin in the middle of that part.
    """
    try:
        return Window.of(buffer.spec, path)
    except TrilithRuntimeError:
        raise NotTraceable(
            "a traced function views a part of its argument as larger elements, and the argument "
            "begins in the middle of one",
            hint="give it the whole tensor instead of a part",
        ) from None


def _laid_out(value: SSAValue, found: TensorSpec, wanted: TensorSpec, record: Recorder) -> SSAValue:
    """Return a value with the strides that its readers were told."""
    if found.strides == wanted.strides:
        return value
    return record.emit("with_strides", [(value, found)], strides=wanted.strides)[0]


def _without_conj(path: Path) -> Path:
    """Return the path that sees what the memory holds."""
    return tuple(step for step in path if not step[0].is_conj)


def _follow(value: SSAValue, spec: TensorSpec, path: Path, record: Recorder) -> SSAValue:
    for row, attributes in path:
        value, spec = record.emit(row.name, [(value, spec)], **attributes)
    return value


def _replace_part(whole: SSAValue, spec: TensorSpec, write: Write, record: Recorder) -> SSAValue:
    """Return the whole memory with one write applied."""
    start, end = write.window.span
    if start < 0 or end > storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize:
        raise NotTraceable(
            "a traced function writes outside of the tensor that it was given, and then reads it",
            hint="give it the whole tensor instead of a part",
        )
    if write.window.dtype.itemsize > spec.dtype.itemsize:
        write = _in_smaller_elements(write, spec.dtype, record)
    dtype = write.window.dtype
    if dtype is spec.dtype:
        return _put(whole, spec, write, record)[0]
    # The part is seen as another dtype: so is, for a moment, the whole, as one run of elements.
    reach = storage_extent(spec.shape, spec.strides)
    flat = record.emit("strided_view", [(whole, spec)], size=(reach,), stride=(1,), offset=0)
    bits = record.emit("view_dtype", [flat], dtype=dtype, source=spec.dtype)
    changed = _put(*bits, write, record)
    back = record.emit("view_dtype", [changed], dtype=spec.dtype, source=dtype)
    return record.emit("strided_view", [back], size=spec.shape, stride=spec.strides, offset=0)[0]


def _put(
    whole: SSAValue, spec: TensorSpec, write: Write, record: Recorder
) -> tuple[SSAValue, TensorSpec]:
    """Return a memory with a part of its own dtype replaced."""
    size, stride, offset = write.window.view
    values = [(whole, spec), (write.value, write.spec)]
    return record.emit("put_window", values, size=size, stride=stride, offset=offset)


def _in_smaller_elements(write: Write, dtype: DType, record: Recorder) -> Write:
    """Return a write as elements of a smaller dtype, which fit whatever the memory's size is."""
    shape, strides, offset = write.window.view
    large = write.window.dtype
    places = view_dtype(Strided((*shape, 1), (*strides, 1), offset), large, dtype)
    column = record.emit("unsqueeze", [(write.value, write.spec)], dim=len(shape))
    value, spec = record.emit("view_dtype", [column], dtype=dtype, source=large)
    return Write(write.path, Window(places, dtype), value, spec)


def memory_of(value: SSAValue) -> SSAValue:
    """Return the value whose memory this one looks at."""
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    return value
