"""Do the examples and statements of PyTorch's "Tensor Attributes" page hold?

    python -m tests.conformance.torch.doc_examples                  # trilith, accelerator meta
    python -m tests.conformance.torch.doc_examples --library torch  # torch itself: all pass
    python -m tests.conformance.torch.doc_examples --group promotion,casting -v

In the code of a case `tri` is the library and {acc} the accelerator's device type. The last line is
an expression, unless it is an assignment or a statement. PyTorch itself is not needed.
"""

import argparse
import ast
import importlib
import re
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True, slots=True)
class Raises:
    """The code raises this type, or a subclass, with a message in which the pattern is found."""

    type: type[Exception]
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Repr:
    """The value has this repr."""

    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One statement of the page; `expected` is a str when it is an expression to compare with.

    `when` is "ordinal" where a current accelerator is needed, "none" where there must be none, and
    "parse" where a foreign device type has only to be parsed.
    """

    group: str
    code: str
    expected: str | Raises | Repr
    when: str = ""


PROMOTION = """
float_tensor = tri.ones(1, dtype=tri.float)
double_tensor = tri.ones(1, dtype=tri.double)
complex_float_tensor = tri.ones(1, dtype=tri.complex64)
complex_double_tensor = tri.ones(1, dtype=tri.complex128)
int_tensor = tri.ones(1, dtype=tri.int)
long_tensor = tri.ones(1, dtype=tri.long)
uint_tensor = tri.ones(1, dtype=tri.uint8)
bool_tensor = tri.ones(1, dtype=tri.bool)
long_zerodim = tri.tensor(1, dtype=tri.long)
int_zerodim = tri.tensor(1, dtype=tri.int)
"""
SCALARS = "one, vec = tri.ones(()), tri.ones(1)\n"
MATRIX = "x = tri.tensor([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]])\n"
CANNOT_CAST = r"result type \w+ can't be cast to the desired output type \w+"

ALIASES = (
    *(("float32", "float"), ("float64", "double"), ("float16", "half"), ("complex32", "chalf")),
    *(("complex64", "cfloat"), ("complex128", "cdouble"), ("int16", "short"), ("int32", "int")),
    ("int64", "long"),
)
DTYPES = (
    "float32 float64 float16 bfloat16 complex32 complex64 complex128 uint8 int8 uint16 int16 uint32"
    " int32 uint64 int64 bool float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz"
    " float8_e8m0fnu float4_e2m1fn_x2"
).split()
BITS = {
    **dict.fromkeys(("float64", "complex64", "int64", "uint64"), 64),
    **dict.fromkeys(("float32", "complex32", "int32", "uint32"), 32),
    **dict.fromkeys(("float16", "bfloat16", "int16", "uint16"), 16),
    **dict.fromkeys(("uint8", "int8", "float8_e4m3fn"), 8),
    "complex128": 128,
}


def dtype_cases() -> list[Case]:
    """What a dtype is called, says of itself, and stays through three operations."""
    cases = [Case("dtype", f"tri.{alias} is tri.{name}", "True") for name, alias in ALIASES]
    for name in DTYPES:
        is_float, is_complex = name.startswith(("float", "bfloat")), name.startswith("complex")
        cases += [
            Case("dtype", f"isinstance(tri.{name}, tri.dtype)", "True"),
            Case("dtype", f"tri.{name}.is_floating_point", str(is_float)),
            Case("dtype", f"tri.{name}.is_complex", str(is_complex)),
            Case("dtype", f"tri.empty(3, dtype=tri.{name}).dtype", f"tri.{name}"),
            Case("dtype", f"tri.zeros(4, dtype=tri.{name}).reshape(2, 2).dtype", f"tri.{name}"),
            Case(
                "dtype",
                f"x = tri.zeros(4, dtype=tri.{name})\ntri.cat([x, x]).dtype",
                f"tri.{name}",
            ),
        ]
    cases += [Case("dtype", f"tri.{name}.itemsize", str(bits // 8)) for name, bits in BITS.items()]
    return [
        *cases,
        Case("dtype", "x = tri.ones(2)\n(x.dtype, x.layout)", "(tri.float32, tri.strided)"),
        Case("dtype", "x = tri.ones(2)\nx.is_floating_point(), x.is_complex()", "(True, False)"),
        Case("dtype", "tri.get_default_dtype()", "tri.float32"),
    ]


#: The page's table, then the rules of its text: scalars, 0-dim tensors, values not inspected.
PROMOTED = (
    ("tri.add(5, 5)", "int64"),
    ("int_tensor + 5", "int32"),
    ("int_tensor + long_zerodim", "int32"),
    ("long_tensor + int_tensor", "int64"),
    ("bool_tensor + long_tensor", "int64"),
    ("bool_tensor + uint_tensor", "uint8"),
    ("float_tensor + double_tensor", "float64"),
    ("complex_float_tensor + complex_double_tensor", "complex128"),
    ("bool_tensor + int_tensor", "int32"),
    ("tri.add(long_tensor, float_tensor)", "float32"),
    ("int_tensor + 1.5", "float32"),
    ("bool_tensor + 5", "int64"),
    ("float_tensor + 1j", "complex64"),
    ("double_tensor + 1j", "complex128"),
    ("float_tensor + 1e300", "float32"),
    ("uint_tensor + 1000", "uint8"),
    ("int_tensor + tri.tensor(1.0, dtype=tri.float64)", "float64"),
    ("float_tensor + tri.tensor(1.0, dtype=tri.float64)", "float32"),
    ("bool_tensor + int_zerodim", "int32"),
    ("long_zerodim + int_zerodim", "int64"),
    ("uint_tensor + tri.ones(1, dtype=tri.int8)", "int16"),
    ("int_tensor / int_tensor", "float32"),
)
MULTIPLIED_IN_PLACE = (
    *(("float", "float"), ("float", "int"), ("float", "uint"), ("float", "bool")),
    *(("float", "double"), ("int", "long"), ("int", "uint"), ("uint", "int")),
)
NOT_CAST = (("int", "float"), ("bool", "int"), ("bool", "uint"), ("float", "complex_float"))


def promotion_cases() -> list[Case]:
    """What dtype a result has, and which results may be cast to an operand or to `out`."""

    def casting(code: str, expected: str | Raises) -> Case:
        return Case("casting", PROMOTION + code, expected)

    refused = Raises(RuntimeError, CANNOT_CAST)
    cases = [
        Case("promotion", PROMOTION + f"({code}).dtype", f"tri.{dtype}") for code, dtype in PROMOTED
    ]
    for left, right in MULTIPLIED_IN_PLACE:
        tensor = f"{left}_tensor"
        code = f"before = {tensor}.dtype\n{tensor} *= {right}_tensor\n{tensor}.dtype is before"
        cases.append(casting(code, "True"))
    for left, right in NOT_CAST:
        cases += [
            casting(f"{left}_tensor *= {right}_tensor", refused),
            casting(f"tri.mul({left}_tensor, {right}_tensor, out={left}_tensor)", refused),
        ]
    return [
        *cases,
        casting("tri.add(int_tensor, long_tensor, out=float_tensor).dtype", "tri.float32"),
        casting("tri.add(float_tensor, double_tensor, out=int_tensor)", refused),
    ]


def device_cases() -> list[Case]:
    """How a device is written, shown, compared, given to a function, and made the default."""

    def case(code: str, expected: str | Raises | Repr, when: str = "") -> Case:
        return Case("device", code, expected, when)

    def within(construction: str) -> str:
        return f"with tri.device('{{acc}}:0'):\n    r = tri.zeros(2, 3{construction})\n"

    foreign = {
        "'cuda:0'": "type='cuda', index=0",
        "'mps'": "type='mps'",
        "'cuda'": "type='cuda'",
        "'cuda', 0": "type='cuda', index=0",
        "'mps', 0": "type='mps', index=0",
        "'xpu', 1": "type='xpu', index=1",
        "'meta'": "type='meta'",
    }
    none_available = "Cannot access accelerator device when none is available"
    first = Repr("device(type='{acc}', index=0)")
    zeros, default = "tri.zeros((2, 3), device=", "tri.set_default_device("
    return [
        case("tri.device('cpu')", Repr("device(type='cpu')")),
        case("tri.device('cpu', 0)", Repr("device(type='cpu', index=0)")),
        case("tri.device('{acc}:0')", first),
        case("tri.device('{acc}')", Repr("device(type='{acc}')")),
        case("tri.device('{acc}', 0)", first),
        *(
            case(f"tri.device({text})", Repr(f"device({shown})"), "parse")
            for text, shown in foreign.items()
        ),
        case("tri.device(0)", first, "ordinal"),
        case("tri.device(0)", Raises(RuntimeError, none_available), "none"),
        case("tri.device('{acc}:0') == tri.device('{acc}', 0)", "True"),
        case("tri.device('{acc}').index", "None"),
        case("(tri.device('{acc}:0').type, tri.device('{acc}:0').index)", "('{acc}', 0)"),
        case("tri.ones(1).device", "tri.device('cpu')"),
        case("tri.ones(1, device='{acc}:0').device.type", "'{acc}'"),
        case("tri.ones(1, device='{acc}').device.type", "'{acc}'"),
        case(within("") + "r.device.type", "'{acc}'"),
        case(within(", device='cpu'") + "r.device", "tri.device('cpu')"),
        case(within(", device=None") + "r.device.type", "'{acc}'"),
        case("with tri.device('{acc}:0'):\n    pass\ntri.zeros(2).device", "tri.device('cpu')"),
        case(f"{default}'{{acc}}')\nr = tri.zeros(2)\n{default}None)\nr.device.type", "'{acc}'"),
        case(f"acc0 = tri.device('{{acc}}:0')\n{zeros}acc0).device.type", "'{acc}'"),
        case(f"{zeros}'{{acc}}:0').device == {zeros}tri.device('{{acc}}:0')).device", "True"),
        case(f"{zeros}0).device == {zeros}'{{acc}}:0').device", "True", "ordinal"),
        case("tri.randn((2, 3), device='{acc}:0').shape == (2, 3)", "True"),
    ]


def transfer_cases() -> list[Case]:
    """Tensors without dimensions move from the CPU to an accelerator, others do not."""
    moving = (
        "one + tri.ones(()).to('{acc}')",
        "tri.ones(()).to('{acc}') + one",
        "one + vec.to('{acc}')",
        "vec.to('{acc}') + one",
    )
    refused = (
        SCALARS + "one.to('{acc}') + vec",
        SCALARS + "vec + one.to('{acc}')",
        "tri.ones(2) + tri.ones(2).to('{acc}')",
    )
    group = "scalar-transfer"
    return [
        *(Case(group, f"{SCALARS}({code}).device.type", "'{acc}'") for code in moving),
        *(Case(group, code, Raises(RuntimeError)) for code in refused),
    ]


INDICES = "i, v = tri.tensor([[0, 1], [1, 0]]), tri.tensor([3., 4.])\n"
SPARSE = "tri.sparse_coo_tensor(i, v, (2, 2))"


def format_cases() -> list[Case]:
    """Layouts and strides; memory formats; the legacy constructors."""

    def layout(code: str, expected: str) -> Case:
        return Case("layout", code, expected)

    def memory_format(code: str, expected: str) -> Case:
        return Case("memory_format", code, expected)

    formats = ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
    legacy = {
        **{"Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16"},
        **{"Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64"},
        "Bool": "bool",
    }
    nchw, ncdhw = "tri.empty(2, 3, 4, 5, memory_format=", "tri.empty(2, 3, 4, 5, 6, memory_format="
    return [
        layout(MATRIX + "x.stride()", "(5, 1)"),
        layout(MATRIX + "x.t().stride()", "(1, 5)"),
        layout(MATRIX + "(x.layout, x.dtype, tuple(x.shape))", "(tri.strided, tri.int64, (2, 5))"),
        layout(MATRIX + "isinstance(x.layout, tri.layout)", "True"),
        layout(f"{INDICES}x = {SPARSE}\nx.layout", "tri.sparse_coo"),
        layout(f"{INDICES}{SPARSE}.to_dense().tolist()", "[[0.0, 3.0], [4.0, 0.0]]"),
        *(memory_format(f"isinstance(tri.{name}, tri.memory_format)", "True") for name in formats),
        memory_format(
            f"x = {nchw}tri.contiguous_format)\n"
            "x.stride() == tuple(sorted(x.stride(), reverse=True)), x.is_contiguous()",
            "(True, True)",
        ),
        memory_format(
            f"s = {nchw}tri.channels_last).stride()\ns[0] > s[2] > s[3] > s[1] == 1", "True"
        ),
        memory_format(
            f"s = {ncdhw}tri.channels_last_3d).stride()\ns[0] > s[2] > s[3] > s[4] > s[1] == 1",
            "True",
        ),
        memory_format(
            f"x = {nchw}tri.channels_last)\n"
            "x.is_contiguous(memory_format=tri.channels_last), x.is_contiguous()",
            "(True, False)",
        ),
        memory_format(
            "x = tri.zeros(2, 3, 4, 5).to(memory_format=tri.channels_last)\n"
            "x.clone(memory_format=tri.preserve_format).stride() == x.stride()",
            "True",
        ),
        memory_format(
            "x = tri.zeros(2, 3, 4).permute(2, 0, 1)\nx.clone().stride() == x.stride()", "True"
        ),
        memory_format(
            "x = tri.zeros(3, 1).expand(3, 4)\n"
            "x.clone(memory_format=tri.contiguous_format).stride()",
            "(4, 1)",
        ),
        *(
            Case("legacy", f"tri.{name}Tensor(2).dtype", f"tri.{dtype}")
            for name, dtype in legacy.items()
        ),
    ]


#: A row's number in the list of differences is its place here.
CASES = (
    *dtype_cases(),
    *promotion_cases(),
    *device_cases(),
    *transfer_cases(),
    *format_cases(),
)


def evaluate(code: str, names: dict[str, Any]) -> Any:
    """Run the code; return the value of its last line if that is an expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<example>", "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "<example>", "eval"), names)


def failure_of(case: Case, library: ModuleType | Any, accelerator: str) -> str | None:
    """Return how a case fails as a sentence, or None; the default device is restored."""
    names: dict[str, Any] = {"tri": library}
    expected = case.expected
    try:
        value = evaluate(case.code.replace("{acc}", accelerator), names)
    except Exception as error:
        return _failure_of_error(error, expected)
    finally:
        library.set_default_device(None)
    if isinstance(expected, Raises):
        return f"no {expected.type.__name__}"
    if isinstance(expected, Repr):
        text = expected.text.replace("{acc}", accelerator)
        return None if repr(value) == text else f"{value!r} instead of {text}"
    wanted = eval(expected.replace("{acc}", accelerator), names)
    return None if value == wanted else f"{value!r} instead of {wanted!r}"


def _failure_of_error(error: Exception, expected: str | Raises | Repr) -> str | None:
    """Return what is wrong with an error, or None if it is the expected one."""
    shown = f"{type(error).__name__}: {error}"
    if not isinstance(expected, Raises):
        return f"raised {shown}"
    if not isinstance(error, expected.type):
        return f"raised {shown}, instead of {expected.type.__name__}"
    return None if re.search(expected.pattern, str(error)) else f"wrong text: {shown}"


def applies(case: Case, has_accelerator: bool) -> bool:
    """Whether a case speaks of a machine like this one."""
    return case.when != ("none" if has_accelerator else "ordinal")


def shown(case: Case) -> str:
    """Return the code of a case in one line, without the definitions that many share."""
    code = case.code
    for shared in (PROMOTION, SCALARS, MATRIX):
        code = code.replace(shared, "")
    return code.replace("\n", "; ")


def main() -> int:
    """Run the cases and print what fails, and a table by group."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--library", default="trilith", help="module to test")
    parser.add_argument(
        "--accelerator", default="meta", help="device type in place of the page's cuda"
    )
    parser.add_argument("--group", help=", ".join(dict.fromkeys(case.group for case in CASES)))
    parser.add_argument("-v", "--verbose", action="store_true", help="print what passes too")
    options = parser.parse_args()
    groups = options.group.split(",") if options.group else ()
    return run(options.library, options.accelerator, groups, options.verbose)


def run(
    library: str = "trilith",
    accelerator: str = "meta",
    groups: Sequence[str] = (),
    is_verbose: bool = False,
) -> int:
    """Run the cases of some groups (of all, if none is named); return the exit code."""
    module = importlib.import_module(library)
    counts: Counter[tuple[str, str]] = Counter()
    for number, case in enumerate(CASES):
        if groups and case.group not in groups:
            continue
        is_contradicted = case.when == "none" and module.accelerator.is_available()
        if is_contradicted or not applies(case, accelerator != "meta"):
            counts[case.group, "do not apply"] += 1
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            failure = failure_of(case, module, accelerator)
        counts[case.group, "fail" if failure else "pass"] += 1
        if failure or is_verbose:
            print(f"{'FAIL' if failure else 'ok  '} {number} [{case.group}] {shown(case)}")
        if failure:
            print(f"       {failure}")
    return _report(counts)


def _report(counts: Counter[tuple[str, str]]) -> int:
    """Print the table by group; return the exit code."""
    words = ("pass", "fail", "do not apply")
    for group in dict.fromkeys(group for group, _ in counts):
        print(f"{group:18}" + "".join(f"{counts[group, word]:5} {word}" for word in words))
    totals = {word: sum(n for (_, found), n in counts.items() if found == word) for word in words}
    print(f"{'doc examples':18}" + "".join(f"{totals[word]:5} {word}" for word in words))
    return 1 if totals["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
