"""The tensor-level IR: tensors with dtype, device and layout in their type, one op per table row."""
