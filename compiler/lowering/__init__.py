"""From tensors to kernels: a fusion becomes a loop nest over strided buffers."""
