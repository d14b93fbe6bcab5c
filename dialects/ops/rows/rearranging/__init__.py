"""Rows that copy elements to other places, and compute nothing."""
