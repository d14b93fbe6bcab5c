"""What operations do with sparse operands: forms beside their rows, and rows of `tri.sparse`."""
