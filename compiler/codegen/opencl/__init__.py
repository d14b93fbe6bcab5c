"""From scheduled kernels to OpenCL C 1.2: one table entry per op, no built-in functions."""
