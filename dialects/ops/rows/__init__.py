"""The rows themselves, one family a file; `table` imports them all."""
