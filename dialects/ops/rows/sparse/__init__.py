"""What operations do with sparse_coo operands: forms beside their rows, and rows of `tri.sparse`."""
