"""Rows that make one element of many: reductions, scans, and what is said with them."""
