"""Passes on kernels, and on the functions that launch them, one a file."""
