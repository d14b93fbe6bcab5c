"""What finds the operation of a wrong gradient? By the names of `torch.autograd.anomaly_mode`."""

from ..runtime.gradients.anomaly import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
