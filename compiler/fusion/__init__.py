"""How do groups of operations become fusions, and when is a value computed twice?"""
