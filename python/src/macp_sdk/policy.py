"""Another name of `handover_macp.policy`. Generated: npm run generate."""

from handover_macp.policy import *  # noqa: F401, F403
from handover_macp.policy import __all__ as __all__
