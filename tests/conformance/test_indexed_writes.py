"""Which memory may indexed writes share, and which dtypes do they take? Answers of PyTorch 2.13.

Each case runs at once and in a compiled function: both give what PyTorch gave, or its words.
"""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import trilith as tri

PARTIAL = "some elements of the input tensor and the written-to tensor refer to a single memory"
INTERNAL = "more than one element of the written-to tensor refers to a single memory location"


def dtypes(target: str, source: str) -> str:
    """Return what is said of values of another dtype."""
    return (
        f"Index put requires the source and destination dtypes match, got {target} for the "
        f"destination and {source} for the source."
    )


def shapes(source: str, target: str) -> str:
    """Return what is said of values of another shape."""
    return (
        f"shape mismatch: value tensor of shape {source} cannot be broadcast to indexing result "
        f"of shape {target}"
    )


#: (what is there, what is done, what is looked at, its elements or the words of the error)
CASES: list[tuple[str, str, str, Any]] = [
    (
        "x=T.zeros(3); v=T.tensor([1])",
        "x[[0]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3); v=T.tensor(1)",
        "x[[0]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3); v=T.tensor(1.,dtype=T.float64)",
        "x[[0]]=v",
        "x",
        dtypes("Float", "Double"),
    ),
    (
        "x=T.zeros(3,dtype=T.int32); v=T.tensor(1.5)",
        "x[[0]]=v",
        "x",
        dtypes("Int", "Float"),
    ),
    (
        "x=T.zeros(3,dtype=T.int32); v=T.tensor([1.5])",
        "x[[0]]=v",
        "x",
        dtypes("Int", "Float"),
    ),
    ("x=T.zeros(3,dtype=T.int32); v=T.tensor([1.5])", "x[x==0]=v", "x", [1, 1, 1]),
    ("x=T.zeros(3); v=T.tensor(1)", "x[x==0]=v", "x", [1.0, 1.0, 1.0]),
    ("x=T.zeros(3); v=T.tensor([1])", "x[x==0]=v", "x", [1.0, 1.0, 1.0]),
    (
        "x=T.zeros(3); v=T.tensor([1,2,3])",
        "x[x==0]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3); v=T.tensor([[1,2,3]])",
        "x[[0,1,2]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    ("x=T.zeros(3); v=T.tensor([[[1.,2,3]]])", "x[[0,1,2]]=v", "x", [1.0, 2.0, 3.0]),
    (
        "x=T.zeros(3); v=T.tensor([1,2,3])",
        "x[T.tensor([0,1])]=v",
        "x",
        shapes("[3]", "[2]"),
    ),
    (
        "x=T.zeros(3,2); v=T.tensor([1,2])",
        "x[T.tensor(1)]=v",
        "x",
        [[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]],
    ),
    (
        "x=T.zeros(3,2); v=T.tensor([1,2])",
        "x[T.tensor(True)]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3,2); v=T.tensor([1.,2])",
        "x[T.tensor(True)]=v",
        "x",
        [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]],
    ),
    ("x=T.zeros(3,2); v=T.tensor([1,2])", "x[True]=v", "x", [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]),
    ("x=T.zeros(3,2); v=T.tensor([1.,2])", "x[True]=v", "x", [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]),
    ("x=T.zeros(3,2); v=T.tensor([1,2])", "x[False]=v", "x", [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
    ("x=T.zeros(3,2); v=T.tensor([1.,2])", "x[False]=v", "x", [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
    (
        "x=T.zeros(3,2); v=T.tensor([])",
        "x[[]]=v",
        "x",
        shapes("[0]", "[0, 2]"),
    ),
    (
        "x=T.zeros(3); v=T.tensor([1,2,3])",
        "x[[]]=v",
        "x",
        shapes("[3]", "[0]"),
    ),
    (
        "x=T.zeros(3); v=T.tensor([1])",
        "x[[]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    ("x=T.zeros(3)", "x[[0]]=1j", "x", "value cannot be converted to type float without overflow"),
    ("x=T.zeros(3,dtype=T.int32)", "x[[0]]=1.7", "x", [1, 0, 0]),
    (
        "x=T.zeros(3,dtype=T.int32)",
        "x[[0]]=1j",
        "x",
        "value cannot be converted to type int without overflow",
    ),
    (
        "x=T.zeros(3,dtype=T.uint8)",
        "x[[0]]=300",
        "x",
        "value cannot be converted to type uint8_t without overflow",
    ),
    ("x=T.zeros(3,dtype=T.uint8)", "x[[0]]=-1", "x", [255, 0, 0]),
    (
        "x=T.zeros(3,dtype=T.uint8)",
        "x[x==0]=300",
        "x",
        "value cannot be converted to type uint8_t without overflow",
    ),
    ("x=T.zeros(3,dtype=T.bool)", "x[[0]]=2", "x", [True, False, False]),
    ("x=T.zeros(3); v=T.tensor([1,2])", "x[0:2]=v", "x", [1.0, 2.0, 0.0]),
    (
        "x=T.zeros(3); v=T.tensor([1,2])",
        "x.index_put_((T.tensor([0,1]),),v)",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3); v=T.tensor(1)",
        "x.index_put_((T.tensor([0,1]),),v)",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3); v=T.tensor([1,2])",
        "x[None,[0,1]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3,2); v=T.tensor([1,2])",
        "x[...,[0,1]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3,2); v=T.tensor([5])",
        "x[1,[0,1]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(3,2); v=T.tensor(5)",
        "x[1,[0,1]]=v",
        "x",
        dtypes("Float", "Long"),
    ),
    (
        "x=T.zeros(2,3); v=T.tensor([1.,2,3])",
        "x[T.tensor([[True,False,True],[False,True,False]])]=v",
        "x",
        [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]],
    ),
    (
        "x=T.zeros(2,3); v=T.tensor([1.,2])",
        "x[T.tensor([[True,False,True],[False,True,False]])]=v",
        "x",
        shapes("[2]", "[3]"),
    ),
    ("x=T.arange(3.)", "x[[2,1,0]]=x", "x", PARTIAL),
    ("x=T.arange(3.)", "x[[2,1,0]]=x[:1]", "x", PARTIAL),
    ("x=T.arange(4.); i=T.tensor([1,2])", "x[i]=x[:2]", "x", PARTIAL),
    ("x=T.arange(4.); i=T.tensor([0])", "x[i]=x[0]", "x", PARTIAL),
    ("x=T.arange(3)", "x[x]=x", "x", PARTIAL),
    ("x=T.arange(3); v=T.tensor([5,6,7])", "x[x]=v", "x", PARTIAL),
    ("x=T.arange(3); v=T.tensor([5,6])", "x[x[:2]]=v", "x", PARTIAL),
    ("x=T.arange(3)", "x.index_put_((x,),x)", "x", PARTIAL),
    ("x=T.arange(3); i=T.tensor([0,1,2])", "x.index_put_((i,),x)", "x", PARTIAL),
    ("x=T.arange(3); i=T.tensor([0,1,2])", "x.index_put_((i,),x,accumulate=True)", "x", PARTIAL),
    ("x=T.arange(3.); m=T.tensor([True,False,True])", "x[m]=x[:2]", "x", PARTIAL),
    ("x=T.arange(3.); m=T.tensor([True,False,True])", "x[m]=x[1]", "x", [1.0, 1.0, 1.0]),
    (
        "x=T.arange(3.); m=T.tensor([True,False,True])",
        "x.masked_fill_(m,x[1])",
        "x",
        [1.0, 1.0, 1.0],
    ),
    (
        "x=T.arange(3.); m=T.tensor([True,False,True])",
        "x.masked_scatter_(m,x)",
        "x",
        [0.0, 1.0, 1.0],
    ),
    ("x=T.tensor([True,False,True])", "x.masked_fill_(x,False)", "x", [False, False, False]),
    ("x=T.tensor([True,False,True])", "x.masked_scatter_(x,x)", "x", [True, False, False]),
    ("x=T.tensor([True,False,True])", "x[x]=False", "x", [False, False, False]),
    ("x=T.tensor([True,False,True])", "x[:2].masked_fill_(x[1:],True)", "x", PARTIAL),
    ("x=T.arange(3.); i=T.tensor([2,1,0])", "x.scatter_(0,i,x)", "x", PARTIAL),
    ("x=T.arange(3); i=T.tensor([2,1,0])", "x.scatter_(0,x,i)", "x", PARTIAL),
    ("x=T.arange(3)", "x.scatter_(0,x,5)", "x", PARTIAL),
    ("x=T.arange(3.); i=T.tensor([2,1,0])", "x.scatter_(0,i[:2],x[1:])", "x", PARTIAL),
    ("x=T.arange(3.); i=T.tensor([2,1,0])", "x.scatter_add_(0,i,x)", "x", PARTIAL),
    ("x=T.arange(3.); i=T.tensor([2,1,0])", "x.scatter_reduce_(0,i,x,'sum')", "x", PARTIAL),
    ("x=T.arange(3)", "x.scatter_reduce_(0,x,x+1,'sum')", "x", PARTIAL),
    ("b=T.arange(3)", "b.index_add_(0,b,b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "b.index_add_(0,b,i)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "b.index_add_(0,i,b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(2)", "b.index_add_(0,i,b[1:])", "b", PARTIAL),
    ("b=T.arange(4).view(2,2); i=T.arange(2)", "b.index_add_(0,i,b)", "b", PARTIAL),
    ("b=T.arange(4).view(2,2); i=T.arange(2)", "b.index_add_(0,b[0],i.expand(2,2))", "b", PARTIAL),
    ("b=T.arange(3)", "b.index_fill_(0,b,1)", "b", PARTIAL),
    ("b=T.arange(3)", "b.index_fill_(0,b[:1],1)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(2)", "b.index_fill_(0,i,b[2])", "b", [2, 2, 2]),
    ("b=T.arange(3)", "b.index_copy_(0,b,b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "b.index_copy_(0,i,b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "b.index_copy_(0,b,i)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(2)", "b.index_copy_(0,i,b[1:])", "b", PARTIAL),
    ("b=T.arange(3)", "b.put_(b,b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "b.put_(i,b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "b.put_(b,i)", "b", PARTIAL),
    ("b=T.arange(3)", "T.gather(b,0,b,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.gather(b,0,i,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.gather(i,0,b,out=b)", "b", [0, 1, 2]),
    ("b=T.arange(3); i=T.arange(2)", "T.gather(b,0,i,out=b[1:])", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.index_select(b,0,i,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.index_select(i,0,b,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(2)", "T.index_select(b,0,i,out=b[1:])", "b", PARTIAL),
    ("b=T.arange(4.).view(2,2); i=T.arange(2)", "T.index_select(b,0,i,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.take(b,i,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.take(i,b,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(2)", "T.take(b,i,out=b[1:])", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.take_along_dim(b,i,0,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.scatter(b,0,i,i,out=b)", "b", [0, 1, 2]),
    ("b=T.arange(3); i=T.arange(3)", "T.scatter(i,0,b,i,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.scatter(i,0,i,b,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.scatter_add(i,0,i,b,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.scatter_add(b,0,i,i,out=b)", "b", [0, 2, 4]),
    ("b=T.arange(3); i=T.arange(3)", "T.index_add(b,0,i,i,out=b)", "b", [0, 2, 4]),
    ("b=T.arange(3); i=T.arange(3)", "T.index_add(i,0,i,b,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.index_add(i,0,b,i,out=b)", "b", PARTIAL),
    ("b=T.arange(3); i=T.arange(3)", "T.index_copy(b,0,i,i,out=b)", "b", [0, 1, 2]),
    ("b=T.arange(3); i=T.arange(3)", "T.index_copy(i,0,i,b,out=b)", "b", PARTIAL),
    ("x=T.arange(4.); m=x>1", "T.masked_select(x,m,out=x[:2])", "x", PARTIAL),
    (
        "e=T.zeros(3,1).expand(3,4); m=T.ones(3,4,dtype=T.bool)",
        "e.masked_fill_(m,1)",
        "e",
        [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]],
    ),
    (
        "e=T.zeros(3,1).expand(3,4); m=T.ones(3,4,dtype=T.bool); v=T.ones(12)",
        "e[m]=v",
        "e",
        [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]],
    ),
    (
        "e=T.zeros(3,1).expand(3,4); m=T.ones(3,4,dtype=T.bool); v=T.ones(12)",
        "e.masked_scatter_(m,v)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.tensor([0,2])",
        "e.index_fill_(0,i,1)",
        "e",
        [[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]],
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.tensor([0,2])",
        "e.index_fill_(1,i,1)",
        "e",
        [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]],
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.tensor([0,2])",
        "e[i]=1",
        "e",
        [[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]],
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.tensor([0,2]); v=T.ones(4)",
        "e[i]=v",
        "e",
        [[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]],
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.tensor([0,2]); v=T.ones(2,4)",
        "e.index_copy_(0,i,v)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.tensor([0,2]); v=T.ones(2,4)",
        "e.index_add_(0,i,v)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(1).expand(3); i=T.tensor([0,2]); v=T.ones(2)",
        "e.index_add_(0,i,v)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(1).expand(3); i=T.tensor([0,2]); v=T.ones(2)",
        "e.index_copy_(0,i,v)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.zeros(3,4,dtype=T.int64); v=T.ones(3,4)",
        "e.scatter_(0,i,v)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.zeros(3,4,dtype=T.int64)",
        "e.scatter_(0,i,1)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.zeros(3,4,dtype=T.int64); v=T.ones(3,4)",
        "e.scatter_add_(0,i,v)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.zeros(3,4,dtype=T.int64); v=T.ones(3,4)",
        "e.scatter_reduce_(0,i,v,'amax')",
        "e",
        INTERNAL,
    ),
    ("e=T.zeros(3,1).expand(3,4); i=T.tensor([0,2]); v=T.ones(2)", "e.put_(i,v)", "e", INTERNAL),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.zeros(3,4,dtype=T.int64)",
        "T.gather(T.ones(3,4),0,i,out=e)",
        "e",
        INTERNAL,
    ),
    (
        "e=T.zeros(3,1).expand(3,4); i=T.arange(3)",
        "T.index_select(T.ones(3,4),0,i,out=e)",
        "e",
        INTERNAL,
    ),
    ("e=T.zeros(1).expand(3); i=T.arange(3)", "T.take(T.ones(3),i,out=e)", "e", INTERNAL),
    (
        "v=T.zeros(3,1).expand(3,4)",
        "v.copy_(v)",
        "v",
        [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
    ),
    ("v=T.zeros(3,1).expand(3,4); w=T.ones(3,4)", "v.copy_(w)", "v", INTERNAL),
    ("v=T.arange(4.)", "v[1:].copy_(v[:3])", "v", PARTIAL),
    (
        "v=T.zeros(3,1).expand(3,4); m=T.ones(3,4,dtype=T.bool); w=T.tensor(2.)",
        "v.masked_fill_(m,w)",
        "v",
        [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]],
    ),
    ("b=T.arange(9.)", "T.cat([b[:3],b[3:6]],out=b[:6])", "b", PARTIAL),
    ("b=T.arange(9.)", "T.cat([b[:3],b[3:6]],out=b[1:7])", "b", PARTIAL),
    ("e=T.zeros(1).expand(6); b=T.arange(6.)", "T.cat([b[:3],b[3:]],out=e)", "e", INTERNAL),
    ("b=T.arange(4.).view(2,2)", "T.matmul(b,b,out=b)", "b", [[2.0, 3.0], [6.0, 11.0]]),
    ("e=T.zeros(2,1).expand(2,2); b=T.ones(2,2)", "T.matmul(b,b,out=e)", "e", INTERNAL),
    ("e=T.zeros(1).expand(3)", "T.arange(3,out=e)", "e", INTERNAL),
    ("e=T.zeros(1).expand(3)", "T.ones(3,out=e)", "e", [1.0, 1.0, 1.0]),
    ("e=T.zeros(1).expand(3)", "T.full((3,),2.,out=e)", "e", [2.0, 2.0, 2.0]),
    ("e=T.zeros(1).expand(3)", "e.clamp_(1)", "e", INTERNAL),
    ("e=T.zeros(1).expand(3)", "e.fill_(1)", "e", [1.0, 1.0, 1.0]),
    ("e=T.zeros(1).expand(3)", "e[:]=1", "e", INTERNAL),
    ("e=T.zeros(1).expand(3)", "e[[0]]=1", "e", [1.0, 1.0, 1.0]),
    ("e=T.zeros(1).expand(3); v=T.ones(3)", "e[:]=v", "e", INTERNAL),
]


def outcome(there: str, done: str, seen: str, *, is_compiled: bool) -> Any:
    """Return the elements after a statement, or the words of its error."""
    names: dict[str, Any] = {"T": tri}
    exec(there, names)
    arguments = {name: value for name, value in names.items() if isinstance(value, tri.Tensor)}
    exec(f"def run({', '.join(arguments)}):\n    {done}\n    return {seen}", names)
    run: Any = names["run"]
    if is_compiled:
        run = tri.compile(run)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return run(*arguments.values()).tolist()
        except RuntimeError as error:
            return str(error)


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize(("there", "done", "seen", "expected"), CASES)
def test_indexed_write(there: str, done: str, seen: str, expected: Any, is_compiled: bool) -> None:
    """Elements and refusals are those of PyTorch."""
    found = outcome(there, done, seen, is_compiled=is_compiled)
    if isinstance(expected, str):
        assert expected in str(found)
    else:
        assert found == expected


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("is_compiled", [False, True])
def test_reduction_reads_before_it_writes(is_compiled: bool) -> None:
    """The result may lie in the operand."""
    there, done = "b = T.arange(9.)", "T.sum(b.view(3, 3), 0, out=b[:3])"
    found = outcome(there, done, "b[:4]", is_compiled=is_compiled)
    assert found == [9.0, 12.0, 15.0, 3.0]


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", ["index_put_", "masked_fill_", "index_fill_"])
def test_expanded_target_warns(name: str) -> None:
    """Writes to elements that are one are deprecated."""
    expanded = tri.zeros(3, 1).expand(3, 4)
    index = tri.tensor([0, 2])
    calls: dict[str, tuple[Any, ...]] = {
        "index_put_": ((index,), tri.ones(4)),
        "masked_fill_": (expanded == 0, 1),
        "index_fill_": (0, index, 1),
    }
    with pytest.warns(UserWarning, match=f"Use of {name} on expanded tensors is deprecated"):
        getattr(expanded, name)(*calls[name])


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", ["uint16", "uint64", "float8_e4m3fn", "float8_e8m0fnu"])
def test_dtypes_without_a_kernel(name: str) -> None:
    """Triangles and reversed rows are not made; whole rows are moved; one element is the first."""
    square = tri.zeros(2, 2, dtype=getattr(tri, name))
    for method in ("tril", "triu", "tril_", "fliplr", "rot90"):
        with pytest.raises(NotImplementedError, match="not implemented for"):
            getattr(square, method)()
    assert square.flip(0).shape == square.t().flip(1).shape == (2, 2)
    assert square[:0].tril().shape == (0, 2)
    assert square[:1].argmax(0).tolist() == [0, 0]
    with pytest.raises(NotImplementedError, match="argmax_cpu"):
        square.argmax(0)


def test_factories_resize_without_a_word() -> None:
    """Only arange says that the number of elements differs."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in (tri.ones, tri.zeros, tri.eye):
            made = tri.ones(5)
            make(3, out=made)
            assert made.shape[0] == 3
    with pytest.warns(UserWarning, match=r"of shape \[5\] is 5 which does not match .* elements 3"):
        tri.arange(3, out=tri.ones(5))
