"""Does a device build and run kernels, and compute as the host? Run as a script, in a child.

It imports pyopencl alone, and reads `processor.py` beside it, so that a driver that hangs or dies
takes nothing with it. Arguments: the identity of the device as JSON, and the options that programs
are built with. Output: the verdict as one line of JSON. All that kernels rely on is asked of the
device: what they compute with float32 and float64 has the bits of IEEE 754, or it is no use.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: Divisions and roots are computed of so many numbers: an inexact one is often right by chance.
_COUNT = 256
_MASK = 2**64 - 1


def _numbers() -> list[tuple[float, float]]:
    """Return dividends and divisors, as the kernel makes them; floats hold them exactly."""
    return [(float(i * 7919 + 1), float(i * 104729 % 65521 + 1)) for i in range(_COUNT)]


def _digest(values: Iterable[float], form: str) -> int:
    """Return what stands for the bits of many numbers, rounded to float32 (f) or float64 (d)."""
    found = 0
    for value in values:
        bits = int.from_bytes(struct.pack(f"<{form}", value), "little")
        found = (found * 31 + bits) & _MASK
    return found


# Rounding a quotient or root of float64 to float32 gives the float32 nearest to the exact one.
_QUOTIENTS = [a / b for a, b in _numbers()]
_ROOTS = [math.sqrt(a) for a, _ in _numbers()]

#: Expression, its bits, and what a device does that computes other ones.
INTEGERS = (
    ("n * 3", 42, "computes wrong integers"),
    ("x[8] != x[8]", 1, "takes NaN for a number"),
)
SINGLES = (
    ("x[0] * x[1] + x[2]", 0, "fuses a multiplication and an addition that are written apart"),
    ("FMA(x[0], x[1], x[2])", 0x33800000, "rounds fma twice"),
    ("x[3] * 0.5f", 0x00040000, "flushes denormal results to zero"),
    ("x[3] + 0.0f", 0x00080000, "flushes denormal operands to zero"),
    ("quotients(x)", _digest(_QUOTIENTS, "f"), "rounds divisions wrongly"),
    ("roots(x)", _digest(_ROOTS, "f"), "rounds square roots wrongly"),
)
DOUBLES = (
    ("d * d - e", 0, "fuses a multiplication and an addition of float64 that are written apart"),
    ("DFMA(d, d, -e)", 0x3C30000000000000, "rounds fma of float64 twice"),
    ("dquotients(x)", _digest(_QUOTIENTS, "d"), "rounds divisions of float64 wrongly"),
    ("droots(x)", _digest(_ROOTS, "d"), "rounds square roots of float64 wrongly"),
)
INPUTS = (
    1 + 2.0**-12,
    1 + 2.0**-12,
    -(1 + 2.0**-11),
    2.0**-130,
    1.0,
    3.0,
    2.0,
    2.0**-30,
    math.nan,
)

#: As in the kernels that are compiled: who calls what, and what must not be fused.
_HEAD = """
#pragma OPENCL FP_CONTRACT OFF
#if defined(__clang__) && !defined(__NV_CL_C_VERSION)
#define FMA __builtin_fmaf
#define SQRT __builtin_sqrtf
#define DFMA __builtin_fma
#define DSQRT __builtin_sqrt
#else
#define FMA fma
#define SQRT sqrt
#define DFMA fma
#define DSQRT sqrt
#endif
"""
#: Names, type, bits, and what is computed; x[4] is 1, which the compiler does not know.
_LOOP = """
static ulong {name}(__global const float *x) {{
  ulong found = 0;
  for (int i = 0; i < {count}; i++) {{
    const {type} a = ({type})(i * 7919 + 1) * x[4];
    const {type} b = ({type})(i * 104729 % 65521 + 1) * x[4];
    found = found * 31 + {bits}({what});
  }}
  return found;
}}"""
_LOOPS = (("quotients", "a / b"), ("roots", "{root}(a)"))
_BEGIN = """
__kernel void probe(__global float *x, __global ulong *y, int n) {
  if (get_global_id(0) > 0) return;
"""
_DOUBLE_BEGIN = """
  const double d = 1.0 + (double)x[7], e = 1.0 + 2.0 * (double)x[7];
"""
_DOUBLE_HEAD = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"


def checks(has_double: bool) -> tuple[tuple[str, int, str], ...]:
    """Return what a device is asked to compute."""
    return (*INTEGERS, *SINGLES, *(DOUBLES if has_double else ()))


def source(has_double: bool) -> str:
    """Return the text of the kernel: one statement for each check."""
    lines = [_DOUBLE_HEAD * has_double, _HEAD, _loops("", "float", "as_uint", "SQRT")]
    if has_double:
        lines.append(_loops("d", "double", "as_ulong", "DSQRT"))
    lines += [_BEGIN, _DOUBLE_BEGIN * has_double]
    for number, check in enumerate(checks(has_double)):
        is_whole = check in INTEGERS or check[0].endswith("(x)")
        cast = "" if is_whole else "as_ulong" if check in DOUBLES else "as_uint"
        lines.append(f"  y[{number}] = (ulong){cast}({check[0]});")
    return "\n".join([*lines, "}"])


def _loops(prefix: str, kind: str, bits: str, root: str) -> str:
    """Return the functions that compute digests of many numbers of a type."""
    texts: list[str] = []
    for name, what in _LOOPS:
        words = {"name": prefix + name, "type": kind, "bits": bits, "what": what.format(root=root)}
        texts.append(_LOOP.format(count=_COUNT, **words))
    return "\n".join(texts)


def verdict_on(bits: list[int], has_double: bool) -> str:
    """Return "ok", or in words what a device computes otherwise than the host.

    >>> verdict_on([42, 1, 0, 0x33800000, 0, 0, *(bits for _, bits, _ in SINGLES[-2:])], False)
    'it flushes denormal results to zero, flushes denormal operands to zero'
    """
    pairs = zip(checks(has_double), bits, strict=True)
    wrong = [words for (_, expected, words), found in pairs if found != expected]
    return f"it {', '.join(wrong)}" if wrong else "ok"


def _find(cl: Any, identity: list[Any]) -> Any:
    """Return the device of an identity, as `discovery` numbers them."""
    for platform in cl.get_platforms():
        count = 0
        try:
            handles = platform.get_devices()
        except cl.Error:
            continue
        for handle in handles:
            names = [platform.name, platform.version, handle.name, handle.driver_version]
            if [str(name).strip(" \0") for name in names] == identity[:4]:
                if count == identity[4]:
                    return handle
                count += 1
    raise LookupError("the device is not there")


def _built(cl: Any, program: Any, device: Any, options: str) -> Any:
    """Build a program; what the driver's compiler says of it tells most if it does not build."""
    try:
        program._build(options=options.encode(), devices=[device])
    except cl.Error as error:
        log = str(program.get_build_info(device, cl.program_build_info.LOG)).strip(" \0\n")
        raise RuntimeError(f"{error}: {log.splitlines()[0]}" if log else str(error)) from error
    return program


def _run(cl: Any, device: Any, text: str, options: str, count: int) -> list[int]:
    """Build and run the kernel; return the bits that it leaves."""
    inner: Any = importlib.import_module("pyopencl._cl")
    context = cl.Context([device])
    queue = cl.CommandQueue(context, device)
    kernel = inner.Kernel(
        _built(cl, inner._Program(context, text.encode()), device, options), "probe"
    )
    floats, results = bytearray(struct.pack("<9f", *INPUTS)), bytearray(8 * count)
    flags = cl.mem_flags.READ_WRITE
    x, y = cl.Buffer(context, flags, len(floats)), cl.Buffer(context, flags, len(results))
    inner._enqueue_write_buffer(queue, x, floats, 0, is_blocking=True)
    kernel.set_arg(0, x)
    kernel.set_arg(1, y)
    kernel._set_arg_buf(2, struct.pack("<i", 14))
    inner.enqueue_nd_range_kernel(queue, kernel, (4,), (4,))
    inner._enqueue_read_buffer(queue, y, results, 0, is_blocking=True)
    return list(struct.unpack(f"<{count}Q", results))


def _give_known_name(device: Any) -> None:
    """Do what the process that will use the device has done; it is no part of a package here."""
    path = Path(__file__).with_name("processor.py")
    spec: Any = importlib.util.spec_from_file_location(path.stem, path)
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.give_known_name(device)


def _verdict(cl: Any, device: Any, options: str) -> str:
    has_double = "cl_khr_fp64" in str(device.extensions).split()
    count = len(checks(has_double))
    return verdict_on(_run(cl, device, source(has_double), options, count), has_double)


def main() -> None:
    """Print the verdict on the device that the first argument names."""
    cl: Any = importlib.import_module("pyopencl")
    try:
        device = _find(cl, json.loads(sys.argv[1]))
        _give_known_name(device)
        found: dict[str, Any] = {"verdict": _verdict(cl, device, sys.argv[2])}
    except Exception as error:
        found = {"verdict": f"{type(error).__name__}: {error}"[:500]}
        if isinstance(error, LookupError):
            found["is_passing"] = True  # the device was not tried
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
