"""Rows that take matrices apart and solve systems, by libraries on the host."""
