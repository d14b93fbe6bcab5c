"""The tensor-level IR: dtype, device and layout in the type, one op per table row."""
