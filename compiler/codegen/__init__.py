"""From scheduled kernels to text of a target: tables keyed by operation, one room per target."""
