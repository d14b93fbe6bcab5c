"""Memory and execution: holds tensors and runs artifacts; knows no IR and no compiler."""
