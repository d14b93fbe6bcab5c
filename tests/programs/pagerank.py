"""PageRank: which pages do many important pages link to? Power iterations over a list of links."""

import trilith as torch


def links(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return from which page and to which the links of a small web lead; every seventh has none."""
    page = torch.arange(count)
    linking = page[page % 7 != 3]
    source = torch.cat((linking, linking, linking))
    target = torch.cat((linking // 2, (linking * 5 + 1) % count, (linking * linking) % 11 % count))
    return source, target


def step(
    rank: torch.Tensor, source: torch.Tensor, target: torch.Tensor, damping: float
) -> torch.Tensor:
    """Return the ranks after every page has handed its rank on to those it links to."""
    n = rank.numel()
    degree = torch.zeros_like(rank).index_add_(0, source, torch.ones_like(source, dtype=rank.dtype))
    share = rank / degree.clamp(min=1)
    received = torch.zeros_like(rank).scatter_add_(0, target, share[source])
    dangling = torch.where(degree == 0, rank, 0.0).sum()
    return (1 - damping) / n + damping * (received + dangling / n)


def pagerank(
    source: torch.Tensor, target: torch.Tensor, n: int, damping: float = 0.85, steps: int = 20
) -> torch.Tensor:
    rank = torch.full((n,), 1 / n)
    for _ in range(steps):
        rank = step(rank, source, target, damping)
    return rank


def converged(
    source: torch.Tensor, target: torch.Tensor, n: int, tolerance: float = 1e-5
) -> tuple[torch.Tensor, int]:
    """Return the ranks once they move less than a tolerance, and how many steps that took."""
    rank = torch.full((n,), 1 / n)
    for count in range(1, 100):
        new = step(rank, source, target, 0.85)
        moved = torch.linalg.vector_norm(new - rank, ord=1)
        rank = new
        if moved < tolerance:
            return rank, count
    raise RuntimeError("the ranks keep moving")


def dense(source: torch.Tensor, target: torch.Tensor, n: int, steps: int = 20) -> torch.Tensor:
    """Return the same by a matrix."""
    matrix = torch.zeros(n, n).index_put_((target, source), torch.tensor(1.0), accumulate=True)
    columns = matrix.sum(dim=0)
    matrix = torch.where(columns > 0, matrix / columns, 1 / n)
    rank = torch.full((n,), 1 / n)
    for _ in range(steps):
        rank = torch.mv(matrix, rank).mul(0.85).add(0.15 / n)
    return rank


def best(rank: torch.Tensor, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    values, pages = torch.sort(rank, descending=True, stable=True)
    return values[:count], pages[:count]
