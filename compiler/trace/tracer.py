"""How does a Python function become `tri` IR? Proxies stand for tensors and record operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, NoReturn, TypeVar, cast

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Block, SSAValue

from ...dialects.attributes.expressions import Expression
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.attributes.symint import ShapeEnv, SymInt
from ...dialects.diagnostics import TrilithOverflowError, TrilithTypeError
from ...dialects.ops.frame.argument_values import AttributeValue
from ...dialects.ops.frame.indexed import RESULT_SHAPE, DrawingOp, HostOp
from ...dialects.ops.frame.opspec import CompositeOp, ViewOp
from ...dialects.ops.frame.row import OperandSpec, OpSpec, PrimitiveOp
from ...dialects.ops.frame.schema import Parameter
from ...dialects.ops.table import TABLE
from ...dialects.tri.ops import op_class
from ...dialects.tri.structure import ConstantOp
from ...dialects.tri.types import ScalarType, TensorType
from ...runtime.tensors.generators import Draw
from ...runtime.tensors.interchange import over_array
from ...runtime.tensors.tensor import Tensor
from .active import ACTIVE, Active, recording
from .buffers import Buffer, Path, refuse_outside
from .captured import with_gradient
from .constants import digest_of
from .drawing_trace import DrawingTrace
from .layers import LAYERS, layer_of, refuse_positions
from .locations import user_attribute
from .not_traceable import IndexNeeded, NotTraceable, NumberNeeded, is_any
from .number_checks import NumberCheck, check_of, looked_at
from .numbers import known_number
from .operands import as_tensor
from .proxies import Proxy
from .row_operands import items_of, refuse_operand, row_operand
from .scalar_proxies import ScalarProxy, ask_for_numbers, place_of
from .sparse_operands import ORDINARY, is_sparse_call
from .tape_text import TapeText

StandIn = TypeVar("StandIn", Proxy, ScalarProxy)


class Trace(DrawingTrace):
    """A function of the IR in the making. It is the `TensorLanguage` of composite rows."""

    __slots__ = (
        *("arguments", "block", "borrowed", "captured", "checks", "code", "collection"),
        *("constants", "depth", "draws", "env", "is_disturbed", "is_inner", "is_program", "name"),
        *("numbers", "offsets", "refusal", "scalars", "sizes", "sparse", "words", "written"),
    )

    def __init__(
        self, name: str, offsets: Sequence[int] | None = None, *, is_program: bool = False
    ) -> None:
        """Start an empty function; `offsets` are those of its tensors, where they are known."""
        self.name = name
        self.offsets = offsets
        #: Whether it is a function of the user's, which can run step by step, not a single step.
        self.is_program = is_program
        self.code: CodeType | None = None  # of the function, if it is one
        #: Whether a finalizer or a handler of signals wanted to compute with its tensors.
        self.is_disturbed = False
        #: The run of the garbage collector that it is recorded in, if any.
        self.collection: object = None
        #: The first thing that could not be recorded, though the program may have caught it.
        self.refusal: TrilithTypeError | None = None
        self.block = Block()
        #: What stands for tensors that are given to the function, captured ones among them.
        self.arguments: list[Proxy] = []
        #: The numbers of those that the function has written to, once it is finished.
        self.written: tuple[int, ...] = ()
        #: Tensors of the enclosing program that the function uses, with their arguments.
        self.captured: dict[int, tuple[Tensor, Proxy]] = {}
        #: Those on memory that the function itself may have made, with digests of what it held.
        self.borrowed: dict[SSAValue, tuple[Tensor, int | None]] = {}
        self.constants: dict[tuple[type, str], SSAValue] = {}
        self.scalars: list[ScalarProxy] = []
        #: The arguments for sizes that are operands.
        self.sizes: dict[Expression, ScalarProxy] = {}
        #: By index the numbers that rows look at, None for one that is like most; None if any is.
        self.numbers: Mapping[int, Any] | None = None
        #: The values of layout sparse_coo, by their parts.
        self.sparse: dict[Any, SSAValue] = {}
        #: What each call takes from generators of random numbers.
        self.draws: list[Draw] = []
        #: What operations ask of the numbers of a call.
        self.checks: list[NumberCheck] = []
        #: How many composites are being expanded; whether what comes now is a part of a call.
        self.depth, self.is_inner = 0, False
        #: What is known of the symbols, if it is traced on any.
        self.env: ShapeEnv | None = None
        #: What the function does in words, if anybody wants to know.
        self.words: TapeText | None = None

    # ---- arguments and results

    def tensor_argument(self, spec: TensorSpec, name: str | None = None) -> Proxy:
        """Add an argument that is a tensor; the name is for readers of the IR."""
        value = self.block.insert_arg(TensorType.of(spec), len(self.block.args))
        value.name_hint = name
        proxy = Proxy.of(self, value, spec)
        self.arguments.append(proxy)
        return proxy

    def forget_words(self) -> None:
        """Note that the function does something that has no words."""
        if self.words is not None and not self.is_inner:
            self.words.is_whole = False

    def scalar_argument(self, spec: ScalarSpec, name: str | None = None) -> ScalarProxy:
        """Add an argument that is a Python number; the name is for readers of the IR."""
        value = self.block.insert_arg(ScalarType.of(spec), len(self.block.args))
        value.name_hint = name
        proxy = ScalarProxy(self, value, spec)
        self.scalars.append(proxy)
        return proxy

    def need_number(self, number: ScalarProxy) -> None:
        """Ask for a plan of a number's value alone, if the trace is for calls that have values."""
        if self.numbers is not None:
            index = place_of(number, self.scalars)
            assert index is not None
            raise NumberNeeded(self.name, index, is_any)

    def offset_of(self, argument: SSAValue) -> int | None:
        """Return the storage offset of an argument, None if the function is made for any."""
        for number, proxy in enumerate(self.arguments):
            if proxy.shared_buffer().origin is argument:
                for tensor, captured in self.captured.values():
                    if captured is proxy:
                        return tensor.storage_offset()
                return None if self.offsets is None else self.offsets[number]
        return None

    def capture(self, tensor: Tensor) -> Proxy:
        """Return the argument for a tensor of the enclosing program."""
        found = self.captured.get(id(tensor))
        if found is None:
            found = (tensor, self.tensor_argument(tensor.spec, "captured"))
            self.captured[id(tensor)] = found
            if self.words is not None:
                self.words.add_captured(tensor, found[1])
        return found[1]

    def constant(self, tensor: Tensor) -> Proxy:
        """Return a copy, made at every call, of a tensor that nobody else knows."""
        self.forget_words()
        return self.call("clone", self.capture(tensor))

    def borrow(self, tensor: Tensor) -> Proxy:
        """Return the argument for memory that the traced function itself may have made."""
        self.forget_words()
        proxy = self.capture(tensor)
        self.borrowed[proxy.value] = tensor, digest_of(tensor)
        return proxy

    def refuse_borrowed(self, origin: SSAValue, what: str) -> None:
        """Refuse to write into, or to return, memory that the function may have made."""
        if origin in self.borrowed:
            raise NotTraceable(
                f"a traced function {what} the memory of an array or a buffer, which it may itself "
                "have made",
                hint="copy it: tri.tensor(array); or make a tensor of it outside of the function",
            )

    def as_proxy(self, value: Any) -> Proxy | None:
        """Return what stands for a tensor or an array, None for anything else."""
        if isinstance(value, Proxy):
            return self.own(value)
        tensor = as_tensor(value)
        if tensor is not None and tensor.batch_level is not None:
            return cast("Any", tensor)
        if tensor is None:
            return None
        # The argument for a tensor of the enclosing program, or on the memory of one.
        return self.capture(tensor) if tensor is value else self.borrow(tensor)

    def follow(self, part: Any, whole: Proxy) -> None:
        """Note that a copied part is a view in PyTorch: it must not be told from one."""
        self.forget_words()
        if isinstance(part, Proxy) and part.shared_buffer() is not whole.shared_buffer():
            base = whole.shared_buffer()
            part.shared_buffer().follows = (base, base.version)

    @property
    def has_written(self) -> bool:
        """Whether the program has written to something that it was given."""
        return any(proxy.buffer is not None and proxy.buffer.writes for proxy in self.arguments)

    # ---- operations

    @property
    def runner(self) -> TraceRunner:
        """What records rows for the layers of operands that are more than tensors."""
        return TraceRunner(self)

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of what may be an operand."""
        if isinstance(value, (Tensor, ScalarProxy)):
            return value.spec
        converted = as_tensor(value)
        return ScalarSpec.of(value) if converted is None else converted.spec

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Apply the row called `name`."""
        return self.apply(TABLE[name], arguments, keywords)

    def positions(self, value: Any, hint: str | None = None, what: str = RESULT_SHAPE) -> NoReturn:
        """Refuse: there are no elements yet to find out which are zero."""
        refuse_positions(value)
        raise NotTraceable(
            f"{what} depends on the elements of a tensor, which are not known while its function "
            "is traced",
            hint=hint or "use tri.where or masked_fill, which keep the shape",
        )

    def number(self, value: Any) -> None:
        """Return None: a tensor has no value yet."""

    def tensor(self, data: Any) -> Proxy:
        """Return a tensor with the elements of a NumPy array."""
        return self.constant(over_array(data))

    def apply(self, row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Record a call of a row, or of the rows it is written in."""
        words = self.words
        if words is None or self.is_inner:
            return self._apply(row, arguments, keywords)
        self.is_inner = True
        is_told = False
        try:
            result = self._apply(row, arguments, keywords)
            is_told = _is_plain(row, result) and not isinstance(row, HostOp)
            is_told = is_told and words.tells(row.name, arguments, keywords, result)
        finally:
            self.is_inner = False
            words.is_whole = words.is_whole and is_told
        return result

    def _apply(self, row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        layer = layer_of((*arguments, *keywords.values()))
        if layer is not None:
            return layer.call(self.runner, row, tuple(arguments), dict(keywords))
        if LAYERS.mappings and isinstance(row, DrawingOp) and LAYERS.draw is not None:
            return LAYERS.draw(self.runner, row, row.schema.bind(arguments, keywords))
        if is_sparse_call(arguments, keywords):
            result = self.SPARSE(self).apply(row, arguments, keywords)
            if result is not ORDINARY:
                return result
        try:
            bound = row.schema.bind(arguments, keywords)
        except IndexNeeded as error:
            if self.refusal is error:
                self.refusal = None
            raise NotTraceable(
                f"{row.name}() takes the value of a tensor, which is not known while its function "
                "is traced",
                hint="compute it outside, and pass it as a number",
            ) from None
        except TrilithTypeError as error:
            if not isinstance(error, NotTraceable):
                # What stands for a number may be none where a number, or a flag, is wanted.
                ask_for_numbers(arguments, keywords)
            raise
        self.check_numbers(row, bound)
        return self.apply_bound(row, bound)

    def check_numbers(self, row: OpSpec, bound: dict[str, Any]) -> None:
        """Refuse numbers by their values, now or, those of a call, whenever that is made.

        What a composite is made of looks at no values, whether it runs now or is traced.
        """
        row.refuse_numbers(bound)
        if self.is_program and not self.depth:
            check = check_of(row, bound, self.scalars)
            if check is not None:
                self.checks.append(check)

    def apply_bound(self, row: OpSpec, bound: dict[str, Any]) -> Any:
        """Record a row whose arguments are bound to its parameters."""
        self.forget_words()
        if self.numbers is not None and row.static_operands:
            bound = bound | looked_at(row, bound, self.scalars, self.numbers)
        if isinstance(row, CompositeOp):
            bound = self._as_proxies(row, bound)
            is_inner = not isinstance(row, HostOp)
            self.depth += is_inner
            try:
                return row.expanded(self, bound)
            finally:
                self.depth -= is_inner
        assert isinstance(row, PrimitiveOp)
        return self._record(row, bound)

    def _as_proxies(self, row: OpSpec, bound: dict[str, Any]) -> dict[str, Any]:
        """Replace tensors and arrays by proxies, so that a composite sees one kind of value."""
        for parameter in row.schema.parameters:
            value = bound[parameter.name]
            if parameter.is_operand and value is not None:
                if parameter.is_list:
                    items = items_of(row, value)
                    bound[parameter.name] = [
                        self._tensor_or_number(row, parameter, item) for item in items
                    ]
                else:
                    bound[parameter.name] = self._tensor_or_number(row, parameter, value)
        return bound

    def _tensor_or_number(self, row: OpSpec, parameter: Parameter, value: Any) -> Any:
        """Return the proxy or the known number that an operand is in the trace, or refuse it."""
        if isinstance(value, Proxy):
            return self.own(value)
        if isinstance(value, ScalarProxy):
            self.own(value)
            if not parameter.takes_number:
                raise refuse_operand(row, parameter, value)
            return value
        if type(value) is SymInt and parameter.takes_number:
            return self._size(row, parameter, value)
        found = row_operand(row, parameter, value)
        if not isinstance(found, Tensor) or found.batch_level is not None:
            return found
        return with_gradient(self.capture(found), found) if found is value else self.borrow(found)

    def _size(self, row: OpSpec, parameter: Parameter, value: SymInt) -> ScalarProxy | int:
        """Return the argument for a size that is an operand: a number of each call."""
        if parameter.name in row.static_operands:
            return value.__index__()
        found = self.sizes.get(value.expression)
        if found is None:
            found = self.sizes[value.expression] = self.scalar_argument(ScalarSpec("int"))
            value.env.scalars[len(self.scalars) - 1] = value
        return found

    def _record(self, row: PrimitiveOp, bound: dict[str, Any]) -> Any:
        if isinstance(row, ViewOp):
            return self._view(row, bound)
        # The plan of an operation that is called by itself is for all lines that call it.
        location = user_attribute() if self.is_program else None
        operands: list[SSAValue] = []
        specs: list[OperandSpec] = []
        attributes: dict[str, AttributeValue] = {}
        for parameter in row.schema.parameters:
            value = bound[parameter.name]
            if not parameter.is_operand:
                attributes[parameter.name] = value
                continue
            if parameter.is_left_out(value):
                continue
            for item in items_of(row, value) if parameter.is_list else (value,):
                operand, spec = self._operand(row, parameter, item, location)
                operands.append(operand)
                specs.append(spec)
        resolved = row.resolve(specs, attributes)
        op = op_class(row.name).make(operands, resolved, location)
        self.block.add_op(op)
        results = zip(op.results, resolved.results, strict=True)
        return row.packed([Proxy.of(self, value, spec) for value, spec in results])

    def _view(self, row: ViewOp, bound: dict[str, Any]) -> Proxy:
        """Record a view, or only where it looks if the memory has been written to.

        What it sees is then found out when it is read: often the very value that was written.
        """
        (parameter,) = (item for item in row.schema.parameters if item.is_operand)
        operand = self._tensor_or_number(row, parameter, bound[parameter.name])
        attributes = {name: value for name, value in bound.items() if name != parameter.name}
        resolved = row.resolve([operand.spec], attributes)
        buffer = operand.shared_buffer()
        path = (*operand.path, (row, dict(resolved.attributes)))
        if row.is_of_storage and self.is_program:
            refuse_outside(buffer, path)
        short = buffer.shortened(path)
        if short is not path:
            path = short
            _, attributes = short[0]
            if not buffer.writes:
                whole = (buffer.first_value(self), buffer.spec)
                value, _ = self.emit("strided_view", [whole], **attributes)
                return self._looking(value, resolved.result, buffer, path)
        if buffer.writes:
            proxy = Proxy.of(self, buffer.origin, resolved.result)
            proxy.look_at(buffer, path, is_read=False)
            return proxy
        op = op_class(row.name).make([operand.value], resolved, user_attribute())
        self.block.add_op(op)
        return self._looking(op.results[0], resolved.result, buffer, path)

    def _looking(self, value: SSAValue, spec: TensorSpec, buffer: Buffer, path: Path) -> Proxy:
        """Return what stands for a view of a memory whose value is known."""
        proxy = Proxy.of(self, value, spec)
        proxy.look_at(buffer, path)
        return proxy

    def own(self, proxy: StandIn) -> StandIn:
        """Return what stands for a value of this function; refuse what another left over."""
        if proxy.traced_by is not self:
            raise proxy.left_over()
        return proxy

    def emit(
        self,
        name: str,
        values: Sequence[tuple[SSAValue, TensorSpec]],
        **attributes: AttributeValue,
    ) -> tuple[SSAValue, TensorSpec]:
        """Record a row on values of the IR; attributes that are left out take their defaults."""
        row = TABLE[name]
        assert isinstance(row, PrimitiveOp)
        given = {
            parameter.name: attributes.get(parameter.name, parameter.default)
            for parameter in row.schema.parameters
            if not parameter.is_operand
        }
        resolved = row.resolve([spec for _, spec in values], given)
        op = op_class(name).make([value for value, _ in values], resolved, user_attribute())
        self.block.add_op(op)
        return op.results[0], resolved.result

    def _operand(
        self, row: OpSpec, parameter: Parameter, value: Any, location: LocationAttr | None
    ) -> tuple[SSAValue, OperandSpec]:
        found = self._tensor_or_number(row, parameter, value)
        if isinstance(found, (Proxy, ScalarProxy)):
            return found.value, found.spec
        return self.number_value(found, location), ScalarSpec.of(found)

    def number_value(self, number: complex, location: LocationAttr | None) -> SSAValue:
        """Return the value of a number that is known."""
        if type(number) is int and number >= 2**64:
            raise TrilithOverflowError("int too big to convert")
        if type(number) is int and number < -(2**63):
            raise TrilithOverflowError("can't convert negative int to unsigned")
        key = known_number(number)
        found = self.constants.get(key)
        if found is None:
            op = ConstantOp.make(number, ScalarSpec.of(number), location)
            self.block.add_op(op)
            found = self.constants[key] = op.results[0]
        return found

    # ---- recording

    def record(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Run `function` with this trace active in the calling thread."""
        with recording(self):
            return function(*arguments, **keywords)

    #: Below this frame nothing belongs to the trace.
    END = record.__code__


def _is_plain(row: OpSpec, result: Any) -> bool:
    """Whether a row has returned what a tape has words for: a tensor, or parts that it counts."""
    if row.parts and type(result) is tuple:
        return all(isinstance(part, Proxy) for part in cast("tuple[Any, ...]", result))
    return isinstance(result, Proxy)


class TraceRunner:
    """Records what a layer has taken itself off."""

    def __init__(self, trace: Trace) -> None:
        """Record in a trace."""
        self._trace = trace

    @property
    def language(self) -> Trace:
        """The language that composite rows are run in."""
        return self._trace

    def run(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Record a row."""
        return self._trace.apply(row, arguments, keywords)

    def run_in_place(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Record a row and write its result into its first operand."""
        return self._trace.WRITING(self._trace).run(row, arguments, keywords)

    def expand(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Record the steps of a composite, each with its layers."""
        trace = self._trace
        bound = row.schema.bind(arguments, keywords)
        trace.check_numbers(row, bound)
        return trace.apply_bound(row, bound)

    def plain(self, value: Any) -> Any:
        """Return what stands for a tensor without its gradient: one from outside is captured."""
        return self._trace.capture(value) if value.is_concrete else value.without_gradient()


#: What is active in the thread: nothing but traces is.
TRACING = cast("Active[Trace]", ACTIVE)
