"""How does a function run once for many examples? Its operations gain a dim."""
