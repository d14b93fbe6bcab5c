"""How do OpenCL devices run kernels? From wheels alone: pyopencl, and PoCL where there is no GPU.

`library` imports pyopencl when a device is first asked for, `discovery` lists the devices, `probe`
tries each once in a process of its own, `memory` hands out buffers, `programs` builds and stores
kernels, `launch` enqueues them, `faults` reads what they report, `ending` keeps threads from the
library when the interpreter ends, `runtime` joins these to what `devices.base` asks for. `interop`
shares memory with pyopencl, and `face` is what users see.
"""
