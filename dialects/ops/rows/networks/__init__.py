"""Rows of `nn.functional`: layers without state, losses, images."""
