"""How does a map run that reads its elements inside of a window, as a padded copy does?

Where points lie inside of all windows, and where not, is known for whole rows, but for the
innermost index that has a window. So that one is run in three loops, in front of its window,
inside and behind it; none of them asks where it is. A row outside of another window is one loop.

    kernel.map (%i, %j) to (%n, %m) {              for i:
      %p, %a = kernel.within %i from %f size %h      if i is inside:
      %q, %b = kernel.within %j from %g size %w        for j to g:           y[i, j] = s
      %c = arith.andi %a, %b : i1                      for j from g to g+w:  y[i, j] = x[p, q]
      %v = kernel.load %x[%p, %q] : f32                for j from g+w to m:  y[i, j] = s
      %r = arith.select %c, %v, %s : f32             else:
      kernel.store %r, %y[%i, %j]                      for j to m:           y[i, j] = s
    }

Where vectors have masks, rows that fit one vector are one: its masks are those of all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects.kernel.lanes import MaskOp
from ...dialects.kernel.structured import MapOp
from ...dialects.kernel.within import WithinOp
from ...dialects.making import operands_of
from .lanes import Frame
from .scheduler import Scheduler, Values

#: From which value of an index to which one, exclusive; None for one value.
Bounds = tuple[SSAValue, SSAValue | None]

#: Rows that fit so many registers are one vector, the first that is large enough: 512 images of
#: 7 x 7 floats in margins of 1 take 4.6 us, and in loops 7.8; 256 of 28 x 28 18, and in loops 20.
SHORT_REGISTERS = (1, 2)


def windowed_map(scheduler: Scheduler, op: MapOp, frame: Frame) -> bool:
    """Build a map with windows that is not in lanes yet; all of its points."""
    if frame.lanes > 1 or not has_windows(op):
        return False
    extents = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]
    WindowedMap(scheduler, op).build_all(extents, frame)
    return True


def has_windows(op: MapOp) -> bool:
    """Whether a map only asks where its own indices are, to choose by the answer to all of it."""
    windows = [item for item in op.block.ops if isinstance(item, WithinOp)]
    asked = [window.index for window in windows]
    if not windows or len(set(asked)) < len(asked) or not set(asked) <= set(op.indices):
        return False
    return all(_is_outer(window, op) for window in windows) and all(
        _is_only_chosen_by(window.is_inside, len(windows)) for window in windows
    )


def _is_outer(window: WithinOp, op: MapOp) -> bool:
    return all(
        isinstance(size, BlockArgument) and size.owner is not op.block
        for size in (window.first, window.size)
    )


def _is_only_chosen_by(flag: SSAValue, count: int) -> bool:
    """Whether nothing asks for a flag but choices, which hang on so many windows."""
    for use in flag.uses:
        op = use.operation
        if isinstance(op, arith.AndIOp):
            if not _is_only_chosen_by(op.result, count):
                return False
        elif not (isinstance(op, arith.SelectOp) and use.index == 0):
            return False
        elif len(windows_behind(flag)) != count:
            return False
    return True


def windows_behind(value: SSAValue) -> set[WithinOp]:
    """Return the windows whose flags are all set where a value is; none if it is no such value."""
    op = value.owner
    if isinstance(op, WithinOp):
        return {op} if value is op.is_inside else set()
    if isinstance(op, arith.AndIOp):
        sides = [windows_behind(operand) for operand in op.operands]
        return set[WithinOp]().union(*sides) if all(sides) else set()
    return set()


class WindowedMap:
    """A map of which each loop is inside or outside of the windows."""

    def __init__(self, scheduler: Scheduler, op: MapOp) -> None:
        """Find the innermost index that has a window."""
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        self.windows = {item.index: item for item in op.block.ops if isinstance(item, WithinOp)}
        self.split = max(list(op.indices).index(index) for index in self.windows)
        self.inside = _operations(op.block, is_inside=True)
        self.outside = _operations(op.block, is_inside=False)

    def build(self, bounds: Sequence[Bounds], frame: Frame) -> None:
        """Build the loops over a box of points, outermost first."""
        self._outer(0, bounds, frame, [], self._row)

    def build_all(self, extents: Values, frame: Frame) -> None:
        """Build the loops over all points; short rows are one vector, under masks."""
        weaver, scheduler = self.weaver, self.scheduler
        bounds = [(weaver.index(0), extent) for extent in extents]
        if self.split < len(bounds) - 1 or not scheduler.can_mask:
            self.build(bounds, frame)
            return
        last = extents[-1]

        def rows(registers: Sequence[int]) -> Values:
            if not registers:
                self.build(bounds, frame)
                return ()
            lanes = scheduler.width * registers[0]

            def vectors() -> Values:
                self._short_rows(bounds, frame, lanes)
                return ()

            is_short = weaver.compare("sle", last, weaver.index(lanes))
            return weaver.branch(is_short, vectors, lambda: rows(registers[1:]))

        rows(SHORT_REGISTERS)

    def _short_rows(self, bounds: Sequence[Bounds], frame: Frame, lanes: int) -> None:
        """Build rows of a vector each, whose masks are those of all rows."""
        weaver, index = self.weaver, self.op.indices[-1]
        window = self.windows[index]
        first, size, count = (
            weaver.scalar(value, frame)
            for value in (window.first, window.size, self.op.operands[-1])
        )
        # A launch says where the window is: one that ends behind all numbers has no lanes.
        end = weaver.compute(arith.MaxSIOp, first, weaver.compute(arith.AddiOp, first, size))
        before, upto, rest = (weaver.add(MaskOp.make(n, lanes)) for n in (first, end, count))
        inside = weaver.compute(arith.XOrIOp, upto, before)
        zero = weaver.index(0)
        place = weaver.compute(arith.SubiOp, zero, first)

        def row(_: Sequence[Bounds], at: Frame, flags: Sequence[SSAValue]) -> None:
            def some() -> Values:
                inner = at.inner(lanes)
                inner.enter(index, zero)
                inner.enter(window.place, place)
                self._some_inside(inner, inside, rest)
                return ()

            def none() -> Values:
                inner = at.inner(lanes, rest)
                inner.enter(index, zero)
                self._body(inner, is_inside=False)
                return ()

            self._where(flags, some, none)

        self._outer(0, bounds, frame, [], row)

    def _outer(
        self,
        number: int,
        bounds: Sequence[Bounds],
        frame: Frame,
        flags: list[SSAValue],
        row: Callable[[Sequence[Bounds], Frame, Sequence[SSAValue]], None],
    ) -> None:
        if number == self.split:
            row(bounds, frame, flags)
            return
        index = self.op.indices[number]
        start, stop = bounds[number]

        def inside(value: SSAValue, _: Values) -> Values:
            inner, known = frame.inner(), [*flags]
            inner.scalars[index] = value
            window = self.windows.get(index)
            if window is not None:
                known.append(within(self.scheduler, window, inner))
            self._outer(number + 1, bounds, inner, known, row)
            return ()

        if stop is None:
            inside(start, ())
        else:
            self.weaver.loop((start, stop, self.weaver.index(1)), (), inside)

    def _row(self, bounds: Sequence[Bounds], frame: Frame, flags: Sequence[SSAValue]) -> None:
        """Build all that is inside of the innermost window's index, this one included."""
        weaver = self.weaver
        window = self.windows[self.op.indices[self.split]]
        start, stop = bounds[self.split]
        if stop is None:
            stop = weaver.compute(arith.AddiOp, start, weaver.index(1))
        first = weaver.scalar(window.first, frame)
        end = weaver.compute(arith.AddiOp, first, weaver.scalar(window.size, frame))
        begins = self._clamped(first, start, stop)
        ends = self._clamped(end, begins, stop)

        def parts() -> Values:
            self._part((start, begins), bounds, frame, is_inside=False)
            self._part((begins, ends), bounds, frame, is_inside=True)
            self._part((ends, stop), bounds, frame, is_inside=False)
            return ()

        def margin() -> Values:
            self._part((start, stop), bounds, frame, is_inside=False)
            return ()

        self._where(flags, parts, margin)

    def _where(
        self,
        flags: Sequence[SSAValue],
        inside: Callable[[], Values],
        outside: Callable[[], Values],
    ) -> None:
        """Branch on whether a row is inside of the windows of all indices around it."""
        if not flags:
            inside()
            return
        is_inside = flags[0]
        for flag in flags[1:]:
            is_inside = self.weaver.compute(arith.AndIOp, is_inside, flag)
        self.weaver.branch(is_inside, inside, outside)

    def _some_inside(self, frame: Frame, inside: SSAValue, rest: SSAValue) -> None:
        """Build what points need of which some are inside; what is outside is not read."""
        for op in self.op.block.ops:
            if op in self.inside or op in self.outside:
                frame.mask = rest if op in self.outside else inside
                if isinstance(op, arith.SelectOp) and windows_behind(op.operands[0]):
                    frame.vectors[op.operands[0]] = inside
                self.scheduler.translate(op, frame)

    def _clamped(self, value: SSAValue, start: SSAValue, stop: SSAValue) -> SSAValue:
        above = self.weaver.compute(arith.MaxSIOp, value, start)
        return self.weaver.compute(arith.MinSIOp, above, stop)

    def _part(
        self,
        along: tuple[SSAValue, SSAValue],
        bounds: Sequence[Bounds],
        frame: Frame,
        *,
        is_inside: bool,
    ) -> None:
        """Build the points of a row from one value of the innermost window's index to another."""
        self._inner(
            self.split, [*bounds[: self.split], along, *bounds[self.split + 1 :]], frame, is_inside
        )

    def _inner(self, number: int, bounds: Sequence[Bounds], frame: Frame, is_inside: bool) -> None:
        weaver, index = self.weaver, self.op.indices[number]
        start, stop = bounds[number]
        is_last = number == len(bounds) - 1

        def at(inner: Frame, value: SSAValue) -> None:
            inner.enter(index, value)
            if number == self.split and is_inside:
                window = self.windows[index]
                first = weaver.scalar(window.first, inner)
                inner.enter(window.place, weaver.compute(arith.SubiOp, value, first))
            if is_last:
                self._body(inner, is_inside)
            else:
                self._inner(number + 1, bounds, inner, is_inside)

        if stop is None:
            at(frame.inner(), start)
        elif is_last:
            count = weaver.compute(arith.SubiOp, stop, start)
            lanes = self.scheduler.lanes_of_map(self.op.block)

            def from_start(inner: Frame, value: SSAValue) -> None:
                at(inner, weaver.compute(arith.AddiOp, start, value))

            # Margins are a few elements, mostly.
            self.scheduler.in_lanes(count, frame, lanes, from_start, has_masks=is_inside)
        else:

            def inside(value: SSAValue, _: Values) -> Values:
                at(frame.inner(), value)
                return ()

            weaver.loop((start, stop, weaver.index(1)), (), inside)

    def _body(self, frame: Frame, is_inside: bool) -> None:
        """Build what a point needs, which is on one side of each choice."""
        for op in self.inside if is_inside else self.outside:
            if isinstance(op, arith.SelectOp) and windows_behind(op.operands[0]):
                value = op.operands[1 if is_inside else 2]
                if self.weaver.varies(value, frame):
                    frame.vectors[op.result] = self.weaver.vector(value, frame)
                else:
                    frame.scalars[op.result] = self.weaver.scalar(value, frame)
            else:
                self.scheduler.translate(op, frame)


def _operations(block: Block, *, is_inside: bool) -> list[Operation]:
    """Return what a point needs of a body, inside of all windows or outside of one, in order."""
    operations = list(block.ops)[:-1]
    pending = [op for op in operations if not op.results]
    needed: set[Operation] = set()
    while pending:
        op = pending.pop()
        if op in needed or op.parent is not block or isinstance(op, WithinOp):
            continue
        needed.add(op)
        values = operands_of(op)
        if isinstance(op, arith.SelectOp) and windows_behind(values[0]):
            values = [values[1 if is_inside else 2]]
        pending += [cast(Operation, value.owner) for value in values if _is_result(value)]
    return [op for op in operations if op in needed]


def _is_result(value: SSAValue) -> bool:
    return not isinstance(value, BlockArgument)


def within(scheduler: Scheduler, op: WithinOp, frame: Frame) -> SSAValue:
    """Compute where in its window an index is, and return whether it is there at all."""
    weaver = scheduler.weaver
    index, first, size = (weaver.scalar(value, frame) for value in op.operands)
    place = weaver.compute(arith.SubiOp, index, first)
    # Below the first place the difference, without its sign, is larger than any size.
    is_inside = weaver.compare("ult", place, size)
    frame.scalars[op.place] = weaver.choose(is_inside, place, weaver.index(0))
    frame.scalars[op.is_inside] = is_inside
    return is_inside


def keep_within(scheduler: Scheduler, op: WithinOp, frame: Frame) -> bool:
    """Compute where in its window an index is, for one point."""
    within(scheduler, op, frame)
    return True
