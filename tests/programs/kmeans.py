"""k-means: which points belong together? Lloyd's iterations."""

import trilith as torch
import trilith.nn.functional as F


def points(count: int) -> torch.Tensor:
    """Return points in the plane around five centres, the same everywhere."""
    n = torch.arange(count, dtype=torch.float64)
    turn = (n % 5) * (2 * torch.pi / 5)
    centres = torch.stack((3 * torch.cos(turn), 3 * torch.sin(turn)), dim=1)
    noise = torch.stack((torch.sin(n * 12.9898), torch.cos(n * 78.233)), dim=1)
    return (centres + 0.8 * noise).float()


def assign(x: torch.Tensor, centroids: torch.Tensor) -> torch.Tensor:
    """Return for each point the number of the nearest centroid."""
    return torch.cdist(x, centroids).argmin(dim=1)


def update(x: torch.Tensor, centroids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the means of the points that each centroid is nearest to, and whose they are."""
    k = centroids.shape[0]
    labels = assign(x, centroids)
    sums = torch.zeros_like(centroids).index_add_(0, labels, x)
    counts = F.one_hot(labels, num_classes=k).sum(dim=0)
    means = sums / counts.clamp(min=1).unsqueeze(1)
    return torch.where(counts.unsqueeze(1) > 0, means, centroids), labels


def kmeans(x: torch.Tensor, k: int, iterations: int) -> tuple[torch.Tensor, torch.Tensor]:
    centroids, labels = x[:k].clone(), torch.empty(0, dtype=torch.long)
    for _ in range(iterations):
        centroids, labels = update(x, centroids)
    return centroids, labels


def inertia(x: torch.Tensor, centroids: torch.Tensor) -> torch.Tensor:
    """Return the sum of squared distances to the nearest centroids."""
    nearest, _ = torch.cdist(x, centroids).min(dim=1)
    return nearest.square().sum()


def sizes(labels: torch.Tensor, k: int) -> torch.Tensor:
    return torch.bincount(labels, minlength=k)
