"""Calls that native code answers: plans as words, tables of them, and callables that have one."""
