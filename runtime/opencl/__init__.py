"""What `trilith.opencl` offers: devices, and buffers that other libraries share."""
