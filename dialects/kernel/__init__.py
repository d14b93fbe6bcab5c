"""The loop-level IR: kernels as nests of iteration constructs over strided buffers.

`GRAMMAR.md` says what can be written; `dialect.py` lists it for xDSL.
"""
