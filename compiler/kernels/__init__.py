"""Kernels as a process has them: keys, names, what they touch, and who compiles them once."""
