"""Kernels written by hand in OpenCL C, in the form that launchers call, and where to run them."""

import hashlib
import os
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.device import Device
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.execution.artifact import KernelCode

HEAD = '// trilith: {"local": [64], "global": [[0, 1]]}\n'

#: name -> (pointers, integers, can fail, text)
KERNELS: dict[str, tuple[int, int, bool, str]] = {
    "add": (
        3,
        1,
        False,
        HEAD
        + """__kernel void add(__global uchar *p0, long o0, __global uchar *p1, long o1,
    __global uchar *p2, long o2, long n) {
  __global float *x = (__global float *)(p0 + o0);
  __global float *y = (__global float *)(p1 + o1);
  __global float *z = (__global float *)(p2 + o2);
  long i = get_global_id(0);
  if (i < n) z[i] = x[i] + y[i];
}""",
    ),
    "scale": (
        1,
        2,
        False,
        HEAD
        + """static inline float tri_twice(float x) {
  return x + x;
}
__kernel void scale(__global uchar *p0, long o0, long n, long factor) {
  __global float *x = (__global float *)(p0 + o0);
  long i = get_global_id(0);
  if (i < n) x[i] = tri_twice(x[i]) * 0.5f * factor;
}""",
    ),
    "twice": (
        1,
        1,
        False,
        HEAD
        + """static inline float tri_twice(float x) {
  return x + x;
}
__kernel void twice(__global uchar *p0, long o0, long n) {
  __global float *x = (__global float *)(p0 + o0);
  long i = get_global_id(0);
  if (i < n) x[i] = tri_twice(x[i]);
}""",
    ),
    "fail": (
        1,
        3,
        True,
        HEAD
        + """__kernel void fail(__global uchar *p0, long o0, long n, long code, long position) {
  __global int *status = (__global int *)(p0 + o0);
  if (get_global_id(0) > 0) return;
  status[0] = code;
  status[1] = position;
  ((__global long *)status)[1] = 7;
}""",
    ),
    "local": (
        1,
        1,
        False,
        HEAD
        + """__kernel void local_memory(__global uchar *p0, long o0, long n) {
  __local float held[16777216];
  held[get_local_id(0)] = 1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) < n) ((__global float *)(p0 + o0))[get_global_id(0)] = held[0];
}""",
    ),
    "broken": (1, 1, False, HEAD + "__kernel void broken(__global uchar *p0, long o0) { oops; }"),
    "wide": (
        1,
        1,
        False,
        HEAD.replace("64", "65536")
        + """__kernel void wide(__global uchar *p0, long o0, long n) {
  __global float *x = (__global float *)(p0 + o0);
  long i = get_global_id(0);
  if (i < n) x[i] = i;
}""",
    ),
    "grouped": (
        1,
        1,
        False,
        HEAD.replace("64", "65536").replace("global", "groups")
        + """__kernel void grouped(__global uchar *p0, long o0, long n) {
  ((__global float *)(p0 + o0))[get_group_id(0)] = get_local_id(0);
}""",
    ),
}
_SYMBOLS = {"local": "local_memory"}


def kernel(name: str, suffix: str = "") -> KernelCode:
    """Return the kernel of that name; a suffix makes it another one."""
    pointers, integers, can_fail, text = KERNELS[name]
    symbol = _SYMBOLS.get(name, name)
    if suffix:
        text = text.replace(f"void {symbol}(", f"void {symbol}{suffix}(")
    key = hashlib.sha256(text.encode()).hexdigest()
    return KernelCode(symbol + suffix, key, "opencl", text.encode(), pointers, integers, can_fail)


def runtime(index: int = 0) -> Any:
    """Return a device's runtime; skips the test where there is no OpenCL."""
    # Devices are tried by tests of their own: here that would cost each process a second.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRILITH_OPENCL_PROBE", "0")
        try:
            return runtime_of(Device("opencl", index))
        except RuntimeError as error:
            pytest.skip(f"no OpenCL device {index}: {error}")


def device_array(values: Any) -> Any:
    """Return values as a tensor on the first device."""
    return tri.from_numpy(np.asarray(values)).to("opencl:0")


def run_python(program: str, *, timeout: float = 60.0, **environment: str) -> str:
    """Run a program in a process of its own, which must end well and in time."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "TRILITH_OPENCL_PROBE": "0", **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr, done.stderr
    return done.stdout.strip()
