"""The rows themselves: a family a file, in rooms by what they do to elements."""
