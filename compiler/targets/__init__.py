"""What is there to know of a target? One row each, which everything else reads."""
