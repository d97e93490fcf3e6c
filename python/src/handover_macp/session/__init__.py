"""What sessions of all modes share: the messages that all have, and what every projection knows."""

from .projection import SessionProjection
from .records import CommitmentRecord, ProjectionAnomaly, SessionStartRecord
from .session import Session
from .speaker import Speaker

__all__ = [
    "CommitmentRecord",
    "ProjectionAnomaly",
    "Session",
    "SessionProjection",
    "SessionStartRecord",
    "Speaker",
]
