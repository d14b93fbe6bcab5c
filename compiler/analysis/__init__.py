"""What can be read off the IR without changing it?"""
