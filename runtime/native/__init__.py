"""Machine code between Python and kernels: what a call does when nothing unusual happens."""
