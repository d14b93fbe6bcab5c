"""What do the bodies of rows compute with? The scalar language and functions written in it."""
