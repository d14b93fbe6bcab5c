"""The attributes of a tensor as plain values: dtype, device, layout, memory format, shape, strides.

They answer as PyTorch's do and import neither the IR nor a code generator.
"""
