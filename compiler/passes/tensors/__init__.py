"""Passes on functions of tensors, one a file; each docstring shows the IR before and after."""
