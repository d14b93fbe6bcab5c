"""Rows whose result's element depends on the operands' elements at its place, and on no other."""
