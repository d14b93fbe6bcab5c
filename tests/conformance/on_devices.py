"""What is otherwise on a device than on the CPU, although both are right, and why?

The list is exact, as that of `differences.txt`: a case that stands here without need fails.
"""

NUMPY = "an array of NumPy lies in the host's memory, and is an operand there"
COPIED = "to the CPU is a copy, not the tensor itself"
NAMED = "the answer says which device it is"
LEGACY = "PyTorch's oldest names mean tensors of the CPU"
HANDED_OVER = "memory of OpenCL has no address that DLPack could hand over"
HOST = "the bytes of a storage, and shared memory, are the host's"
ALONG = "tensors without dimensions go along with others if they are of the CPU"
MEMORY = "PyTorch's answer depends on where an object lies in memory"

#: What a case evaluates, by the record it stands in: why the device's answer is another one.
DIFFERENCES: dict[str, dict[str, str]] = {
    "observed": {
        "(i+np.array([3.0]))": NUMPY,
        "x.numpy().strides": NUMPY,
        "(lambda a: (a.numpy().__setitem__(0,7.), a._version, a))(n)": NUMPY,
        "x.permute(2,0,1).numpy().strides": NUMPY,
        "torch.ones(2,dtype=torch.bfloat16).numpy()": NUMPY,
        "x.detach().numpy()": NUMPY,
        "exec('y = x.detach().numpy(); y[0] = 9') or (x)": NUMPY,
        "exec('y = memoryview(x.detach().numpy())') or (y.shape)": NUMPY,
        "exec('y = x.detach().__dlpack__()') or (torch.from_dlpack(x.detach()).requires_grad)": (
            HANDED_OVER
        ),
        "x.__dlpack_device__()": NAMED,
        "x.to('cpu') is x, x.to(torch.device('cpu')) is x, x.to('cpu:0') is x, "
        "x.to('cpu',copy=True) is x": COPIED,
        "x.cpu() is x": COPIED,
        "exec('q = x.cpu()') or (q is x)": COPIED,
        "x.is_cuda, x.is_cpu, x.is_meta, x.is_sparse, x.layout, x.device.type": NAMED,
        "x.untyped_storage()[0]": HOST,
        "x.share_memory_().is_shared()": HOST,
        "x.share_memory_() is x": HOST,
        "x.get_device()": NAMED,
        "torch.ones(1).get_device()": NAMED,
        "hash(torch.device('cpu')),hash(torch.device('cpu:0')),hash(torch.device('cuda')),"
        "hash(torch.device('cuda:0')),hash(torch.device('cuda:1'))": MEMORY,
        "torch.ones(())+torch.ones(2,device='meta')": ALONG,
        "torch.ones(2,device='meta')+torch.ones(())": ALONG,
        "torch.ones(())+torch.ones((),device='meta')": ALONG,
        "torch.ones((),device='meta')+torch.ones(())": ALONG,
        "torch.addcmul(torch.ones(2,device='meta'),torch.ones(()),torch.ones(()))": ALONG,
        "torch.where(torch.ones(2,device='meta')>0,torch.ones(()),torch.ones(()))": ALONG,
    },
    "creation": {
        "torch.LongTensor(torch.tensor([1,2]))": LEGACY,
        "torch.Tensor(torch.tensor([1,2]))": LEGACY,
        "isinstance(torch.zeros(2), torch.FloatTensor)": LEGACY,
        "torch.get_device(torch.zeros(2))": NAMED,
        "torch.linspace(torch.tensor(1.),2,3,device='meta')": ALONG,
    },
    "conj": {"c.cpu()": COPIED},
}

#: Tests of this folder that have no case for a device, and why.
WITHOUT_A_DEVICE = {
    "test_devices": "about meta, the CPU and devices that are not there",
    "test_promotion": "dtypes alone: there is no tensor in it",
    "test_strides": "sizes and strides alone: there is no tensor in it",
    "test_tensorimpl": "a transcript of what a C++ program did in the host's memory",
    "test_impl_gradients": "a transcript of what a C++ program did in the host's memory",
    "test_coverage": "names alone: there is no tensor in it",
    "test_torch_report": "about the report of a comparison",
    "test_sparse_record": "forms are said with rows, which the other records try on devices",
    "test_matrix_gradients": "what a library of the host computes, and rows that others try",
    "test_sparse_gradients": "rows on the parts of sparse tensors, which others try",
    "test_bits": "about the comparison of a device with the CPU, and this list",
}


def differs(record: str, case: str, *, is_equal: bool, device: str) -> str:
    """Return what is wrong with a case, or "": it is equal, or stands in the list for a device."""
    reason = None if device == "cpu" else DIFFERENCES[record].get(case)
    if reason is None:
        return "" if is_equal else f"{case} differs on {device}"
    is_listed_in_vain = is_equal and reason is not MEMORY
    return f"{case} is as on the CPU, and yet listed: {reason}" if is_listed_in_vain else ""
