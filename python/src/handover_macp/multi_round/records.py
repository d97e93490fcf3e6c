"""What a projection tells about contributions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ContributionRecord:
    """A contribution, in the round that it began or belongs to."""

    value: str
    """What was contributed."""
    sender: str
    """Who contributed it."""
    round: int
    """In which round, counted from 1."""
