"""Rows that are sums of products: contractions, and what is said with them."""
