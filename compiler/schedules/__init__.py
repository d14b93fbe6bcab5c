"""Which loops, vectors, work items and order of memory does a kernel run with, on which target?"""
