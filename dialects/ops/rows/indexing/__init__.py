"""Rows that read and write elements at places that tensors or masks say."""
