"""The table of operations: one row per operation, the single source of truth."""
