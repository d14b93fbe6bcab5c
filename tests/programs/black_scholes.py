"""Black-Scholes: what is an option worth, and how does that change with the price of the share?"""

import math

import trilith as torch


def normal_cdf(x: torch.Tensor) -> torch.Tensor:
    return 0.5 * (1 + torch.erf(x / math.sqrt(2)))


def price(
    spot: torch.Tensor, strike: torch.Tensor, years: torch.Tensor, rate: float, volatility: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the prices of calls and puts."""
    spread = volatility * torch.sqrt(years)
    d1 = (torch.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * torch.exp(-rate * years)
    call = spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - spot * normal_cdf(-d1)
    return call, put


def greeks(
    spot: torch.Tensor, strike: torch.Tensor, years: torch.Tensor, rate: float, volatility: float
) -> dict[str, torch.Tensor]:
    """Return delta, gamma and vega of calls."""
    spread = volatility * years.sqrt()
    d1 = ((spot / strike).log() + (rate + volatility**2 / 2) * years) / spread
    density = torch.exp(-(d1**2) / 2) / math.sqrt(2 * math.pi)
    return {
        "delta": torch.special.ndtr(d1),
        "gamma": density / (spot * spread),
        "vega": spot * density * torch.sqrt(years),
    }


def surface(spots: torch.Tensor, strikes: torch.Tensor, years: float) -> torch.Tensor:
    """Return the prices of calls on a grid of shares and strikes."""
    spot, strike = torch.meshgrid(spots, strikes, indexing="ij")
    return price(spot, strike, torch.full_like(spot, years), 0.03, 0.25)[0]


def market(count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return shares' prices, strikes and years, the same everywhere."""
    n = torch.arange(count, dtype=torch.float64)
    spot = 100 + 40 * torch.sin(n * 1.7)
    strike = 100 + 30 * torch.cos(n * 2.3)
    years = 1.1 + torch.sin(n * 0.9)
    return spot.float(), strike.float(), years.float()
