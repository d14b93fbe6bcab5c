"""How an OpenCL device runs a kernel: work items, work-groups, shared memory."""
