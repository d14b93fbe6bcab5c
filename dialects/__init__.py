"""What a tensor is, what can be done to it, and how the IR says so.

Nothing here runs anything: `diagnostics` words the errors, `attributes` are plain values, `ops` is
the table of operations, `tri` and `kernel` are the two levels of IR.
"""
