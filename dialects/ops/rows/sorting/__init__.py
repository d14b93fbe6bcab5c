"""Rows that put elements in order, or need them in order."""
