"""Plans on the disk: what they are found by, and what a process runs before it loads the rows."""
