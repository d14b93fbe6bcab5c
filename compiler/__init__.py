"""From a Python function to an artifact: trace it, rewrite it, emit machine code for it."""
