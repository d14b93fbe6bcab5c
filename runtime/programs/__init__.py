"""Programs that were exported: how they are stored, and run without what compiled them."""
