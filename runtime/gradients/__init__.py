"""How do gradients find their way back? Graphs of recorded operations, which know no operation."""
