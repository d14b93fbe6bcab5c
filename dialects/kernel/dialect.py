"""Which types and ops does xDSL know under the name `kernel`?"""

from xdsl.ir import Dialect

from .arithmetic import FmodOp, LdexpOp, PairOp, PartOp
from .function import FuncOp, ReturnOp
from .lanes import (
    AnyOp,
    CompareOp,
    ConvertOp,
    ExtractOp,
    FirstSetOp,
    LaneIdsOp,
    MaskOp,
    SelectOp,
    SliceOp,
    SplatOp,
)
from .lines import InLineOp
from .memory import AllocOp, BarrierOp, CheckOp, LoadOp, StoreOp
from .preceding import PrecedingOp
from .prefetch import PrefetchOp
from .rare import RarelyOp
from .registers import ClearRegistersOp, HasRegistersOp
from .scheduled import ForOp, IfOp
from .strides import StrideOp
from .structured import MapOp, ParallelOp, ReduceOp, ScanOp, YieldOp
from .transpose import TransposeOp
from .types import BufferType
from .within import WithinOp

KERNEL_DIALECT = Dialect(
    "kernel",
    [
        FuncOp,
        ReturnOp,
        ParallelOp,
        MapOp,
        ReduceOp,
        ScanOp,
        YieldOp,
        ForOp,
        IfOp,
        LoadOp,
        StoreOp,
        AllocOp,
        CheckOp,
        BarrierOp,
        PrefetchOp,
        SplatOp,
        LaneIdsOp,
        MaskOp,
        AnyOp,
        FirstSetOp,
        SliceOp,
        ExtractOp,
        CompareOp,
        SelectOp,
        ConvertOp,
        FmodOp,
        LdexpOp,
        PartOp,
        PairOp,
        RarelyOp,
        PrecedingOp,
        TransposeOp,
        StrideOp,
        InLineOp,
        HasRegistersOp,
        ClearRegistersOp,
        WithinOp,
    ],
    [BufferType],
)
