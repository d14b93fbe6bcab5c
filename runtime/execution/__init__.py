"""What runs: memory, artifacts and their cache, as plain data; knows no tensor."""
