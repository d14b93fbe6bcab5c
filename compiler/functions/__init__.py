"""Compiled functions: what `trilith.compile` returns, and how a call finds its plan."""
