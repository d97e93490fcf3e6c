"""The multi-round extension mode: values, round after round, until all are equal."""

from .projection import MultiRoundProjection
from .records import ContributionRecord
from .session import MultiRoundSession

__all__ = ["ContributionRecord", "MultiRoundProjection", "MultiRoundSession"]
