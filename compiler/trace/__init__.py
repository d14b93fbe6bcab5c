"""From a Python function to tri IR: proxies record every operation and the user's line."""
