"""n-body: how do stars move that attract one another? Leapfrog steps over all pairs."""

import trilith as torch


def galaxy(count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return places, velocities and masses on a turning disk, the same everywhere."""
    n = torch.arange(count, dtype=torch.float64)
    angle = n * 2.399963229728653  # the golden angle
    radius = torch.sqrt((n + 0.5) / count)
    height = 0.05 * torch.sin(n * 1.3)
    place = torch.stack((radius * torch.cos(angle), radius * torch.sin(angle), height), dim=1)
    speed = 0.8 * torch.sqrt(radius)
    velocity = torch.stack((-speed * torch.sin(angle), speed * torch.cos(angle), 0 * n), dim=1)
    mass = (1.5 + torch.sin(n)) / count
    return place.float(), velocity.float(), mass.float()


def acceleration(place: torch.Tensor, mass: torch.Tensor, softening: float) -> torch.Tensor:
    away = place[None, :, :] - place[:, None, :]
    squared = (away**2).sum(dim=-1) + softening**2
    return (away * (mass * squared.pow(-1.5))[:, :, None]).sum(dim=1)


def step(
    place: torch.Tensor, velocity: torch.Tensor, mass: torch.Tensor, dt: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return where all are a moment later: half a kick, a drift, half a kick."""
    velocity = velocity + 0.5 * dt * acceleration(place, mass, 0.05)
    place = place + dt * velocity
    velocity = velocity + 0.5 * dt * acceleration(place, mass, 0.05)
    return place, velocity


def run(
    place: torch.Tensor, velocity: torch.Tensor, mass: torch.Tensor, dt: float, steps: int
) -> tuple[torch.Tensor, torch.Tensor]:
    for _ in range(steps):
        place, velocity = step(place, velocity, mass, dt)
    return place, velocity


def energy(place: torch.Tensor, velocity: torch.Tensor, mass: torch.Tensor) -> torch.Tensor:
    """Return kinetic and potential energy, of the softened law that moves the stars."""
    kinetic = 0.5 * (mass * velocity.square().sum(dim=1)).sum()
    squared = (place[None, :, :] - place[:, None, :]).square().sum(dim=-1)
    pairs = mass[:, None] * mass[None, :] * torch.rsqrt(squared + 0.05**2)
    return torch.stack((kinetic, -torch.triu(pairs, diagonal=1).sum()))


def momentum(velocity: torch.Tensor, mass: torch.Tensor) -> torch.Tensor:
    return torch.einsum("n,nd->d", mass, velocity)
