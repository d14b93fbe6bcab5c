"""Rewrites from IR to IR, one pass a file; each docstring shows the IR before and after."""
