"""What is computed on the host, between kernels: functions of NumPy, which rows name by strings."""
