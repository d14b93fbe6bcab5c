"""How does an exported program become a shared library with a C header?

One function runs the program: sizes, pointers and numbers in, a status out. Another one says, for
sizes, how large results and scratch memory are. The library calls nothing, and holds the kernels'
machine code: no C compiler or linker is needed to make it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..dialects.attributes import dtype as dtypes
from ..dialects.attributes.dtype import DType
from ..dialects.attributes.expressions import Expression, bound_of, constant, symbol
from ..dialects.attributes.facts import Guard
from ..dialects.attributes.spec import TensorSpec
from ..dialects.attributes.strides import contiguous_strides
from ..dialects.attributes.symint import ShapeEnv, SymInt
from ..dialects.diagnostics import TrilithNotImplementedError, TrilithTypeError, TrilithValueError
from ..runtime.devices.objects import IMAGE_ALIGNMENT, UnknownObject, linked_image
from ..runtime.devices.shared_object import shared_object
from ..runtime.execution.artifact import Artifact, Launch
from ..runtime.execution.sizes_form import decode_plan
from ..runtime.plan_function import plan_function
from ..runtime.programs.form import StoredProgram, StoredVariant
from .codegen.llvm.entries import DONE, FAULT, NO_PLAN, TABLE_MARK, Body, function_text, module_text
from .codegen.llvm.objects import compile_text
from .codegen.llvm.target import host_target

#: What C calls the elements of a dtype; others are bytes that it has no word for.
_C_TYPES: dict[DType, str] = {
    dtypes.bool_: "uint8_t",
    dtypes.uint8: "uint8_t",
    dtypes.int8: "int8_t",
    dtypes.int16: "int16_t",
    dtypes.int32: "int32_t",
    dtypes.int64: "int64_t",
    dtypes.uint16: "uint16_t",
    dtypes.uint32: "uint32_t",
    dtypes.uint64: "uint64_t",
    dtypes.float32: "float",
    dtypes.float64: "double",
}
#: No expression of a plan may leave 64 bits.
_MOST = 1 << 62


def write_library(program: StoredProgram, path: Path, name: str | None = None) -> Path:
    """Write a shared library, and beside it a header, whose path is returned."""
    library = _Library(program, name or program.name)
    path.write_bytes(library.content(path.name))
    header = path.with_suffix(".h")
    header.write_text(library.header(), encoding="utf-8")
    return header


#: Words that C and C++ keep for themselves, as far as they are names in Python.
_KEPT = frozenset(
    "alignas alignof asm auto bool case catch char const constexpr default delete do double enum "
    "explicit export extern false float friend goto inline int long mutable namespace new noexcept "
    "nullptr operator private protected public register restrict short signed sizeof static struct "
    "switch template this throw true typedef typeid typename union unsigned using virtual void "
    "volatile wchar_t".split()
)


def _check_word(word: str) -> None:
    """Refuse what is no name in a header."""
    if not word.isidentifier() or not word.isascii() or word in _KEPT:
        raise TrilithValueError(
            f"'{word}' is no name of a function or an argument in C",
            hint='say another one: program.to_shared_library(path, name="...")',
        )


class _Plan:
    """A plan, its symbols by the dims that they are, and what must hold."""

    def __init__(self, program: StoredProgram, variant: StoredVariant) -> None:
        found = decode_plan(variant.data, variant.hints, [2] * len(variant.hints))
        plan_function(found.artifact, found.env)  # what must be proven of it becomes guards
        self.artifact: Artifact = found.artifact
        self.env: ShapeEnv = found.env
        self.pins = dict(variant.pins)
        self.free = [n for n in range(len(program.dims)) if n not in self.pins]
        self.guards = found.env.needed_guards()

    def largest(self, expressions: Sequence[Expression]) -> int:
        """Return how large dims may be, so that what is computed of them fits into 64 bits."""
        most = self.env.largest()
        for expression in expressions:
            while bound_of(expression, most) > _MOST:
                most >>= 1
        return most


class _Library:
    """Writes the library of one program."""

    def __init__(self, program: StoredProgram, name: str) -> None:
        for word in (name, *(dim.name for dim in program.dims)):
            _check_word(word)
        self.program = program
        self.name = name
        self.plans = [_Plan(program, variant) for variant in program.variants]
        if any(plan.artifact.has_host_calls for plan in self.plans):
            raise TrilithTypeError(
                f"{program.name}() computes a part with NumPy, which a library does not have"
            )
        if any(v.same or v.written for v in program.variants):
            raise TrilithTypeError(
                f"{program.name}() returns or changes its arguments, which a library does not",
                hint="return new tensors",
            )
        #: The kernels by digest, in the order of the table.
        self.kernels: dict[str, Any] = {}
        self.constants: list[bytes] = [data for _, data in program.captured]
        self.outputs = [output.spec for output in self.plans[0].artifact.outputs]
        for plan in self.plans:
            self._check(plan)
            for kernel in plan.artifact.kernels:
                self.kernels.setdefault(kernel.digest, kernel)

    def _check(self, plan: _Plan) -> None:
        outputs = plan.artifact.outputs
        buffers = [output.buffer for output in outputs]
        for output in outputs:
            spec = output.spec
            is_own = plan.artifact.buffers[output.buffer].role == "output"
            is_packed = repr(spec.strides) == repr(contiguous_strides(spec.shape))
            if not is_own or repr(output.storage_offset) != "0":
                self._refuse("a view of another tensor")
            if buffers.count(output.buffer) > 1 or not is_packed or spec.is_conj:
                self._refuse("not contiguous, or shares its memory")
        kinds = [(spec.dtype, spec.rank) for spec in self.outputs]
        if [(o.spec.dtype, o.spec.rank) for o in outputs] != kinds:
            self._refuse("of another kind for some sizes")

    def _refuse(self, why: str) -> None:
        raise TrilithTypeError(
            f"a result of {self.program.name}() is {why}, which a library does not return",
            hint="return contiguous() or clone() of it",
        )

    # The library

    def content(self, file: str) -> bytes:
        """Return the bytes of the shared object."""
        functions = [self._run(), self._sizes()]
        text = module_text(functions, self.constants, len(self.kernels), host_target().attributes)
        names = (self.name, f"{self.name}_sizes")
        image, starts = linked_image(compile_text(text), names)
        table = image.find(TABLE_MARK)
        assert table >= 0
        assert image.find(TABLE_MARK, table + 1) < 0
        code = bytearray(image)
        places: list[int] = []
        for kernel in self.kernels.values():
            code += b"\xcc" * (-len(code) % IMAGE_ALIGNMENT)
            try:
                kernel_image, (start,) = linked_image(kernel.best().code, (kernel.name,))
            except UnknownObject as error:
                raise TrilithNotImplementedError(
                    f"the kernel '{kernel.name}' cannot be put into a library: {error}",
                    hint="remainders of floats are C's fmod: compute x - (x / y).floor() * y",
                ) from error
            places.append(len(code) + start)
            code += kernel_image
        for number, place in enumerate(places):
            at = table + len(TABLE_MARK) + 8 * number
            code[at : at + 8] = (place - table).to_bytes(8, "little", signed=True)
        return shared_object(bytes(code), dict(zip(names, starts, strict=True)), file)

    def _dim_parameters(self) -> list[str]:
        return [f"i64 %d{number}" for number in range(len(self.program.dims))]

    def _run(self) -> str:
        """Return the function that runs the program."""
        parameters = self._dim_parameters()
        kinds: list[str] = []
        tensors = 0
        for leaf in self.program.leaves:
            if isinstance(leaf, DType):
                parameters.append(f"ptr %t{tensors}")
                tensors += 1
                continue
            if leaf == "complex":
                raise TrilithTypeError("a library takes no complex numbers")
            kinds.append("double" if leaf == "float" else "i64")
            parameters.append(f"{kinds[-1]} %s{len(kinds) - 1}")
        parameters += [f"ptr %r{number}" for number in range(len(self.outputs))]
        parameters.append("ptr %workspace")
        body = Body()
        for number, plan in enumerate(self.plans):
            symbols = self._enter(body, number, plan, _launched(plan.artifact))
            self._launches(body, plan, symbols, tensors, kinds)
            body.do(f"ret i32 {DONE}")
        self._leave(body)
        return function_text(self.name, parameters, body)

    def _enter(self, body: Body, number: int, plan: _Plan, sizes: Sequence[Any]) -> dict[str, str]:
        """Begin with a plan: go to the next one unless it takes the sizes."""
        other = f"plan{number + 1}"
        if number == 0:
            body.do("br label %plan0")
        body.label(f"plan{number}")
        body.forget()
        for dim, value in plan.pins.items():
            body.unless(body.add(f"icmp eq i64 %d{dim}, {value}"), other)
        symbols = {f"n{index}": f"%d{dim}" for index, dim in enumerate(plan.free)}
        expressions = [size.expression for size in sizes if type(size) is SymInt]
        expressions += [guard.expression for guard in plan.guards]
        most = plan.largest(expressions)
        for name in symbols:
            for guard in (
                Guard(">=", symbol(name) - constant(2)),
                Guard(">=", constant(most) - symbol(name)),
            ):
                body.unless(body.guard(guard, symbols), other)
        for guard in plan.guards:
            body.unless(body.guard(guard, symbols), other)
        return symbols

    def _leave(self, body: Body) -> None:
        body.label(f"plan{len(self.plans)}")
        body.do(f"ret i32 {NO_PLAN}")
        body.label("fault")
        body.do(f"ret i32 {FAULT}")

    def _launches(
        self, body: Body, plan: _Plan, symbols: dict[str, str], tensors: int, kinds: list[str]
    ) -> None:
        artifact = plan.artifact
        addresses: list[str] = []
        for buffer in artifact.buffers:
            match buffer.role:
                case "input" if buffer.index >= tensors:
                    addresses.append(f"@constant{buffer.index - tensors}")
                case "input":
                    addresses.append(f"%t{buffer.index}")
                case "output":
                    addresses.append(f"%r{self._result_of(artifact, buffer)}")
                case "temporary":
                    offset = body.size(buffer.arena_offset, symbols)
                    addresses.append(body.add(f"getelementptr i8, ptr %workspace, i64 {offset}"))
                case "constant":
                    self.constants.append(buffer.data or b"")
                    addresses.append(f"@constant{len(self.constants) - 1}")
        order = list(self.kernels)
        for launch in artifact.launches:
            assert isinstance(launch, Launch)
            kernel = artifact.kernels[launch.kernel]
            integers = [body.size(integer, symbols) for integer in launch.integers]
            for slot in launch.scalars:
                size = plan.env.scalars.get(slot.argument)
                if slot.part != "value":
                    raise TrilithTypeError("a library takes no complex numbers")
                value = f"%s{slot.argument}" if size is None else body.size(size, symbols)
                kind = "i64" if size is not None else kinds[slot.argument]
                integers[slot.position] = body.bits(value, kind, slot.dtype)
            status = body.new_status() if kernel.can_fail else None
            pointers = [addresses[buffer] for buffer in launch.buffers]
            body.launch(order.index(kernel.digest), pointers, integers, status)
            if status is not None:
                body.check(status)

    def _result_of(self, artifact: Artifact, buffer: Any) -> int:
        for number, output in enumerate(artifact.outputs):
            if artifact.buffers[output.buffer] is buffer:
                return number
        raise TrilithTypeError("a result has no memory of its own")

    def _sizes(self) -> str:
        """Return the function that says how large results and scratch memory are."""
        parameters = [*self._dim_parameters(), "ptr %workspace"]
        parameters += [f"ptr %r{number}" for number in range(len(self.outputs))]
        body = Body()
        for number, plan in enumerate(self.plans):
            artifact = plan.artifact
            shapes = [output.spec.shape for output in artifact.outputs]
            sizes = [artifact.arena_nbytes, *(size for shape in shapes for size in shape)]
            symbols = self._enter(body, number, plan, [*sizes, *_launched(artifact)])
            body.do(f"store i64 {body.size(artifact.arena_nbytes, symbols)}, ptr %workspace")
            for result, shape in enumerate(shapes):
                for index, size in enumerate(shape):
                    at = body.add(f"getelementptr i64, ptr %r{result}, i64 {index}")
                    body.do(f"store i64 {body.size(size, symbols)}, ptr {at}")
            body.do(f"ret i32 {DONE}")
        self._leave(body)
        return function_text(f"{self.name}_sizes", parameters, body)

    # The header

    def header(self) -> str:
        """Return the text of the C header."""
        program, name = self.program, self.name
        guard = f"{name.upper()}_H"
        dims = [f"int64_t {dim.name}" for dim in program.dims]
        inputs = self.plans[0].artifact.inputs
        arguments: list[str] = []
        notes: list[str] = []
        tensors = numbers = 0
        for leaf in program.leaves:
            if isinstance(leaf, DType):
                spec = inputs[tensors]
                kind = _C_TYPES.get(leaf, "void")
                arguments.append(f"const {kind} *input{tensors}")
                notes.append(f"   input{tensors}: {self._described(spec)}")
                tensors += 1
            else:
                kind = "double" if leaf == "float" else "int64_t"
                arguments.append(f"{kind} number{numbers}")
                numbers += 1
        results: list[str] = []
        shapes: list[str] = []
        for number, spec in enumerate(self.outputs):
            results.append(f"{_C_TYPES.get(spec.dtype, 'void')} *result{number}")
            shapes.append(f"int64_t *result{number}_shape")
            notes.append(f"   result{number}: {self._described(spec)}")
        ranges = [
            f"   {dim.name}: from {dim.least}" + ("" if dim.most is None else f" to {dim.most}")
            for dim in program.dims
        ]
        run = ", ".join([*dims, *arguments, *results, "void *workspace"])
        sizes = ", ".join([*dims, "int64_t *workspace_bytes", *shapes])
        return "\n".join(
            [
                f"/* {program.name}, compiled by trilith for {program.target.split('|')[0]}.",
                "   The CPU must have: " + (", ".join(program.needs) or "nothing special") + ".",
                *(["", "   Sizes:", *ranges] if ranges else []),
                "",
                "   Tensors are contiguous, row by row:",
                *notes,
                "   No two of them may overlap. workspace is aligned to 64 bytes, and may be NULL",
                "   only where its size is 0. */",
                f"#ifndef {guard}",
                f"#define {guard}",
                "#include <stdint.h>",
                "#ifdef __cplusplus",
                'extern "C" {',
                "#endif",
                "",
                "/* What both functions return. */",
                f"#define {name.upper()}_DONE {DONE}",
                f"#define {name.upper()}_NO_PLAN {NO_PLAN} /* it was not made for these sizes */",
                f"#define {name.upper()}_FAULT {FAULT} /* an index or a number is out of range */",
                "",
                "/* How many bytes of scratch memory a call needs, and the sizes of results. */",
                f"int32_t {name}_sizes({sizes});",
                "",
                f"int32_t {name}({run});",
                "",
                "#ifdef __cplusplus",
                "}",
                "#endif",
                "#endif",
                "",
            ]
        )

    def _described(self, spec: TensorSpec) -> str:
        free = self.plans[0].free
        names = {f"n{n}": symbol(self.program.dims[d].name) for n, d in enumerate(free)}

        def shown(size: Any) -> str:
            if type(size) is not SymInt:
                return str(size)
            return str(size.expression.substitute(names))

        return f"{spec.dtype.name} [{']['.join(map(shown, spec.shape))}]"


def _launched(artifact: Artifact) -> list[Any]:
    """Return what a call computes of sizes."""
    found: list[Any] = [buffer.arena_offset for buffer in artifact.buffers]
    for launch in artifact.launches:
        assert isinstance(launch, Launch)
        found += launch.integers
    return found
