"""Another name of `handover_macp.proposal`. Generated: npm run generate."""

from handover_macp.proposal import *  # noqa: F401, F403
from handover_macp.proposal import __all__ as __all__
