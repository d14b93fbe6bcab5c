"""Does a device build and run kernels, and how does it compute? Run as a script, in a child.

It imports pyopencl alone, so that a driver that hangs or dies takes nothing with it. Input: the
identity of the device as JSON (the first argument). Output: the facts as one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import struct
import sys
from typing import Any

_BODY = """
#pragma OPENCL FP_CONTRACT OFF
__kernel void probe(__global float *x, __global int *y, int n) {
  if (get_global_id(0) > 0) return;
  x[8] = x[0] * x[1] + x[2];
  x[9] = FMA(x[0], x[1], x[2]);
  x[10] = x[3] * 0.5f;
  x[11] = x[4] / x[5];
  x[12] = SQRT(x[6]);
  x[13] = x[3] + 0.0f;
  y[0] = n * 3;
}
"""
_BUILTIN = "#define FMA __builtin_fmaf\n#define SQRT __builtin_sqrtf\n" + _BODY
_PLAIN = "#define FMA fma\n#define SQRT sqrt\n" + _BODY
_OPTION = "-cl-fp32-correctly-rounded-divide-sqrt"


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


def _float(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]


def _run(cl: Any, device: Any, source: str, options: str) -> tuple[list[float], int]:
    """Build and run the kernel; return the floats and the integer that it leaves."""
    inner: Any = importlib.import_module("pyopencl._cl")
    context = cl.Context([device])
    queue = cl.CommandQueue(context, device)
    program = inner._Program(context, source.encode())
    program._build(options=options.encode(), devices=[device])
    kernel = inner.Kernel(program, "probe")
    inputs = [1.0 + 2.0**-12, 1.0 + 2.0**-12, -(1.0 + 2.0**-11), 2.0**-130, 1.0, 3.0, 2.0, 0.0]
    floats = bytearray(struct.pack("<16f", *inputs, *[0.0] * 8))
    number = bytearray(8)
    flags = cl.mem_flags.READ_WRITE
    x, y = cl.Buffer(context, flags, len(floats)), cl.Buffer(context, flags, len(number))
    inner._enqueue_write_buffer(queue, x, floats, 0, is_blocking=True)
    kernel.set_arg(0, x)
    kernel.set_arg(1, y)
    kernel._set_arg_buf(2, struct.pack("<i", 14))
    inner.enqueue_nd_range_kernel(queue, kernel, (4,), (4,))
    inner._enqueue_read_buffer(queue, x, floats, 0, is_blocking=True)
    inner._enqueue_read_buffer(queue, y, number, 0, is_blocking=True)
    return list(struct.unpack("<16f", floats)), struct.unpack("<ii", number)[0]


def _facts(cl: Any, device: Any) -> dict[str, Any]:
    """Run the kernel with the compiler's own functions, else with OpenCL's."""
    has_builtins = True
    can_round = bool(int(device.single_fp_config) & (1 << 7))
    # Without -w drivers write to the terminal that there were warnings.
    options = "-w -cl-std=CL1.2" + f" {_OPTION}" * can_round
    try:
        values, number = _run(cl, device, _BUILTIN, options)
    except cl.Error:
        has_builtins = False
        values, number = _run(cl, device, _PLAIN, options)
    verdict = "ok" if number == 42 else f"a kernel computed {number} in place of 42"
    return {
        "verdict": verdict,
        "has_builtins": has_builtins,
        "options": options,
        "contracts": values[8] != 0.0,
        "has_fma": values[9] == 2.0**-24,
        "has_denormals": values[10] == 2.0**-131 and values[13] == 2.0**-130,
        "divides_exactly": values[11] == _float(1.0 / 3.0),
        "roots_exactly": values[12] == _float(2.0**0.5),
        "has_double": "cl_khr_fp64" in str(device.extensions),
    }


def main() -> None:
    """Print the facts of the device that the first argument names."""
    cl: Any = importlib.import_module("pyopencl")
    try:
        facts = _facts(cl, _find(cl, json.loads(sys.argv[1])))
    except Exception as error:
        facts = {"verdict": f"{type(error).__name__}: {error}"[:500]}
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
