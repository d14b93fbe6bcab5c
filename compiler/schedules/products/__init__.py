"""How do sums of products run in tiles of registers?"""
