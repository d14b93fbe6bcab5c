"""Rows that are Fourier transforms, by libraries on the host."""
