"""How does a function run once for many examples? Its operations gain one dim, which it never sees."""
