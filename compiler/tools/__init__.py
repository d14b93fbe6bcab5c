"""The command line: programs that run and show the same passes as the compiler."""
