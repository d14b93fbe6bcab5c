"""From scheduled kernels to LLVM IR, and from LLVM IR to object code for the CPU."""
