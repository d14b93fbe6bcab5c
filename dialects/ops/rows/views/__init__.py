"""Rows whose results share their operand's memory, and the copies that are called as they are."""
