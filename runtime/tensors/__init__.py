"""The tensor as users hold it: how it is made, asked, changed, printed and exchanged."""
