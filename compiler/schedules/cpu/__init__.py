"""How a CPU runs a kernel: loops, vectors, strips."""
