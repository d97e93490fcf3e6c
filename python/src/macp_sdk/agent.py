"""Another name of `handover_macp.agent`. Generated: npm run generate."""

from handover_macp.agent import *  # noqa: F401, F403
from handover_macp.agent import __all__ as __all__
