"""The machines behind the tensors: one module per kind of device, all with one interface."""
