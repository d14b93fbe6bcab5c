"""Rows that make tensors out of shapes and numbers."""
