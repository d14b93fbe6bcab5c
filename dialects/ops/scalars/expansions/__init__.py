"""Mathematical functions as straight-line arithmetic, so that kernels call no library.

`EXPANSIONS` gives each of `scalar.PRIMITIVES`, and the activations whose accuracy needs more than
a composition of them, as a function of float32 or float64 scalars that uses only the arithmetic and
bit operations of the scalar language: no branches, loops or tables in memory. Every function takes
denormals, both zeros, infinities, NaN and arguments of any size, and returns denormals. The LLVM
back end, OpenCL and the NumPy reference all evaluate these, so they agree bit for bit.

The coefficients are minimax polynomials (Remez exchange in 60 digits), rounded; the comment on
each says what it approximates, where, and with what relative error. The largest errors that the
docstrings state, in units in the last place (ULP) of the exact result, were measured on all
float32 values (sin, cos and gelu_tanh: every second; pow: 50 million pairs) and on 20 million
float64 values of all sizes (pow: 10 million).
"""
