"""What stands in front of a kernel: the macro layer, and functions for ops that C does not have.

No built-in function of OpenCL is called where the compiler has an intrinsic of its own: on PoCL a
call of the built-in library keeps a loop from being vectorised (`fabs` of 4M floats 9.6 ms, clang's
`__builtin_fabsf` 1.7). Only what a kernel uses is written.
"""

from collections.abc import Iterable

from .spelling import VECTOR_LANES

_INTRINSICS = {
    "FMA": ("fma", 3),
    "SQRT": ("sqrt", 1),
    "FABS": ("fabs", 1),
    "FLOOR": ("floor", 1),
    "CEIL": ("ceil", 1),
    "TRUNC": ("trunc", 1),
    "RINT": ("rint", 1),
    "FMOD": ("fmod", 2),
}


def _macro(word: str, arity: int, is_single: bool, is_clang: bool) -> str:
    parameters = ", ".join("abc"[:arity])
    name = f"TRI_{word}{32 if is_single else 64}"
    function, _ = _INTRINSICS[word]
    if is_clang:
        function = f"__builtin_{function}{'f' if is_single else ''}"
    return f"#define {name}({parameters}) {function}({parameters})"


def _extreme(bits: int, word: str) -> str:
    """Return the larger or smaller of two: NaN if one is, and -0 is less than +0."""
    real, integer = ("float", "uint") if bits == 32 else ("double", "ulong")
    sign, join = (">", "&") if word == "maximum" else ("<", "|")
    return (
        f"static inline {real} tri_{word}{bits}({real} a, {real} b) {{\n"
        f"  {real} equal = as_{real}(as_{integer}(a) {join} as_{integer}(b));\n"
        f"  {real} found = a {sign} b ? a : b;\n"
        f"  found = a == b ? equal : found;\n"
        f"  return a != a ? a : found;\n}}"
    )


def _number_extreme(bits: int, word: str) -> str:
    """Return the larger or smaller of two, the other one if one is NaN."""
    real = "float" if bits == 32 else "double"
    sign = ">" if word == "maxnum" else "<"
    return (
        f"static inline {real} tri_{word}{bits}({real} a, {real} b) {{\n"
        f"  return a != a ? b : b != b ? a : a {sign} b ? a : b;\n}}"
    )


def _copysign(bits: int) -> str:
    real, integer, mask = (
        ("float", "uint", "0x7fffffffu")
        if bits == 32
        else ("double", "ulong", "0x7fffffffffffffffuL")
    )
    return (
        f"static inline {real} tri_copysign{bits}({real} a, {real} b) {{\n"
        f"  return as_{real}((as_{integer}(a) & {mask}) | (as_{integer}(b) & ~{mask}));\n}}"
    )


#: The first fault of a launch takes the word; what belongs to it is written by who took it.
_FAULT = """\
static inline void tri_fault(
    __global int *status, int code, int position, ulong a, ulong b, ulong c) {
  if (atomic_cmpxchg((volatile __global int *)status, 0, code) == 0) {
    __global ulong *details = (__global ulong *)(status + 2);
    status[1] = position;
    details[0] = a;
    details[1] = b;
    details[2] = c;
  }
}"""

#: GPUs have no division of 64 bits: it is a loop of a hundred instructions. Sizes rarely need it.
_DIVIDE = """\
static inline long tri_divide(long a, long b) {
  return (ulong)(a | b) >> 32 ? (long)((ulong)a / (ulong)b) : (long)((uint)a / (uint)b);
}"""

#: The widest registers that are asked for, and the macro that says whether they are there.
WIDEST, HAS_WIDEST = 512, "TRI_HAS_512"
_HAS_WIDEST = f"""\
#ifdef __AVX512F__
#define {HAS_WIDEST} true
#else
#define {HAS_WIDEST} false
#endif"""

CLEAR_REGISTERS = "TRI_CLEAR_REGISTERS"
_REGISTERS = ", ".join(f'"xmm{number}"' for number in range(32))
_CLEAR_REGISTERS = f"""\
#if defined(__clang__) && defined(__AVX512F__)
#define {CLEAR_REGISTERS} __asm__ volatile("" ::: {_REGISTERS})
#else
#define {CLEAR_REGISTERS}
#endif"""

#: OpenCL C's own word for it is a call, which some drivers ignore.
_PREFETCH = """\
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define TRI_PREFETCH(place, kept) __builtin_prefetch((const void *)(uintptr_t)(place), 0, kept)
#else
#define TRI_PREFETCH(place, kept)
#endif"""

_WIDE = """\
typedef struct { ulong low, high; } tri_wide;
static inline tri_wide tri_wide_of(ulong low, ulong high) {
  tri_wide value;
  value.low = low;
  value.high = high;
  return value;
}"""


def lane_access(word: str, vector: str, is_private: bool) -> str:
    """Return the function that gets or puts some lanes of a vector, at equal distances.

    >>> lane_access("get", "float8", is_private=False)
    'tri_get_float8_global'
    """
    return f"tri_{word}_{vector}_{'private' if is_private else 'global'}"


def _lane_access(word: str, element: str, lanes: int, space: str) -> str:
    vector = f"{element}{lanes}"
    name = lane_access(word, vector, space == "private")
    if word == "get":
        return (
            f"static inline {vector} {name}(\n"
            f"    __{space} const {element} *place, long step, long count) {{\n"
            f"  if (step == 1 && count >= {lanes}) return vload{lanes}(0, place);\n"
            f"  {element} lanes[{lanes}];\n"
            f"  for (int i = 0; i < {lanes}; i += 1)\n"
            f"    lanes[i] = i < count ? place[i * step] : 0;\n"
            f"  return vload{lanes}(0, lanes);\n}}"
        )
    return (
        f"static inline void {name}(\n"
        f"    {vector} value, __{space} {element} *place, long step, long count) {{\n"
        f"  if (step == 1 && count >= {lanes}) {{\n"
        f"    vstore{lanes}(value, 0, place);\n"
        f"    return;\n  }}\n"
        f"  {element} lanes[{lanes}];\n"
        f"  vstore{lanes}(value, 0, lanes);\n"
        f"  for (int i = 0; i < {lanes}; i += 1)\n"
        f"    if (i < count) place[i * step] = lanes[i];\n}}"
    )


#: Every function that can be asked for.
FUNCTIONS: dict[str, str] = {
    "tri_wide": _WIDE,
    "tri_fault": _FAULT,
    "tri_divide": _DIVIDE,
    "TRI_PREFETCH": _PREFETCH,
    HAS_WIDEST: _HAS_WIDEST,
    CLEAR_REGISTERS: _CLEAR_REGISTERS,
    **{f"tri_{w}{b}": _extreme(b, w) for w in ("maximum", "minimum") for b in (32, 64)},
    **{f"tri_{w}{b}": _number_extreme(b, w) for w in ("maxnum", "minnum") for b in (32, 64)},
    **{f"tri_copysign{b}": _copysign(b) for b in (32, 64)},
    **{
        lane_access(word, f"{element}{lanes}", space == "private"): _lane_access(
            word, element, lanes, space
        )
        for word in ("get", "put")
        for element in ("float", "double")
        for lanes in VECTOR_LANES
        for space in ("global", "private")
    },
}
MACROS: dict[str, tuple[str, bool]] = {
    f"TRI_{word}{bits}": (word, bits == 32) for word in _INTRINSICS for bits in (32, 64)
}


def preamble(used: Iterable[str], *, has_doubles: bool, has_hints: bool) -> list[str]:
    """Return the lines in front of a kernel that uses some macros and functions."""
    names = set(used)
    lines = ["#pragma OPENCL FP_CONTRACT OFF"]
    if has_hints:
        # A hint that cannot be followed is no mistake.
        lines += ["#ifdef __clang__", '#pragma clang diagnostic ignored "-Wpass-failed"', "#endif"]
    if has_doubles:
        lines += ["#ifdef cl_khr_fp64", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable", "#endif"]
    macros = [name for name in MACROS if name in names]
    if macros:
        lines.append("#if defined(__clang__) && !defined(__NV_CL_C_VERSION)")
        for is_clang in (True, False):
            for name in macros:
                word, is_single = MACROS[name]
                lines.append(_macro(word, _INTRINSICS[word][1], is_single, is_clang))
            lines.append("#else" if is_clang else "#endif")
    return [*lines, *(_once(name, text) for name, text in FUNCTIONS.items() if name in names)]


def _once(name: str, text: str) -> str:
    """Guard a function, so that texts of several kernels can be one program."""
    guard = f"{name.upper()}_DEFINED"
    return f"#ifndef {guard}\n#define {guard}\n{text}\n#endif"
